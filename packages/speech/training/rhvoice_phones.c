/* Speaks lines with RHVoice and writes phone times beside each sound.
 * rhvoice_phones <libRHVoice.so.5> <libRHVoice_core.so.10> <data folder> <config folder>
 * stdin, one job a line, tab-separated: voice, speed (1 as it is), semitones, change of the frequency warping (a shorter
 * throat below 0), out stem, text.
 * out: <stem>.s16 (mono) and <stem>.phones ("end-sample<TAB>phone" a line, the first line "rate<TAB>").
 * RHVoice tells nobody its phones' lengths, but the synthesis in it has a C interface that goes through the symbol
 * table: the functions below stand before its own, note what passes, and call them. `quality=max` in the configuration.
 * cc -O2 -rdynamic -o rhvoice_phones rhvoice_phones.c -ldl */
#include <RHVoice.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *core, *library;
static FILE *sound, *phones;
static long written;
static double speed, semitones, warping;
static size_t labels;
static char **names;

static void *own(const char *name) {
    void *f = dlsym(core, name);
    if (!f) fprintf(stderr, "%s is not in RHVoice\n", name), exit(1);
    return f;
}

char HTS_Engine_generate_state_sequence_from_strings(void *engine, char **lines, size_t count, double *lengths) {
    static double begun;
    double (*alpha)(void *) = own("HTS_Engine_get_alpha");
    void (*warp)(void *, double) = own("HTS_Engine_set_alpha");
    if (!begun) begun = alpha(engine);
    warp(engine, begun + warping);
    ((void (*)(void *, double))own("HTS_Engine_set_speed"))(engine, speed);
    ((void (*)(void *, double))own("HTS_Engine_add_half_tone"))(engine, semitones);
    for (size_t i = 0; i < labels; i++) free(names[i]);
    names = realloc(names, count * sizeof *names);
    for (labels = 0; labels < count; labels++) names[labels] = strdup(lines[labels]);
    return ((char (*)(void *, char **, size_t, double *))own(__func__))(engine, lines, count, lengths);
}

/* of "a^b-phone+c=d@…" */
static void phone_of(const char *label, char out[16]) {
    const char *from = strchr(label, '-'), *to = from ? strchr(from, '+') : 0;
    size_t n = to ? (size_t)(to - from - 1) : 0;
    if (n > 15) n = 15;
    memcpy(out, from ? from + 1 : "", n);
    out[n] = 0;
}

char HTS_Engine_generate_parameter_sequence(void *engine) {
    size_t states = ((size_t(*)(void *))own("HTS_Engine_get_nstate"))(engine);
    size_t period = ((size_t(*)(void *))own("HTS_Engine_get_fperiod"))(engine);
    size_t (*length)(void *, size_t) = own("HTS_Engine_get_state_duration");
    long end = written;
    if (!written)
        fprintf(phones, "%zu\t\n", ((size_t(*)(void *))own("HTS_Engine_get_sampling_frequency"))(engine));
    for (size_t i = 0; i < labels; i++) {
        char name[16];
        for (size_t j = 0; j < states; j++) end += length(engine, i * states + j) * period;
        phone_of(names[i], name);
        fprintf(phones, "%ld\t%s\n", end, name);
    }
    return ((char (*)(void *))own(__func__))(engine);
}

void HTS_Audio_write(void *audio, short sample) {
    (void)audio;
    fwrite(&sample, 2, 1, sound);
    written++;
}

static int rate(int r, void *data) { return (void)r, (void)data, 1; }
static int play(const short *s, unsigned int n, void *data) { return (void)s, (void)n, (void)data, 1; }

int main(int count, char **words) {
    if (count < 5) return 2;
    library = dlopen(words[1], RTLD_NOW | RTLD_GLOBAL);
    core = dlopen(words[2], RTLD_NOW);
    if (!library || !core) return fprintf(stderr, "%s\n", dlerror()), 1;
    RHVoice_tts_engine (*begin)(const RHVoice_init_params *) = dlsym(library, "RHVoice_new_tts_engine");
    RHVoice_message (*message)(RHVoice_tts_engine, const char *, unsigned int, RHVoice_message_type,
                               const RHVoice_synth_params *, void *) = dlsym(library, "RHVoice_new_message");
    int (*speak)(RHVoice_message) = dlsym(library, "RHVoice_speak");
    void (*drop)(RHVoice_message) = dlsym(library, "RHVoice_delete_message");
    RHVoice_init_params init = {.data_path = words[3], .config_path = words[4],
                                .callbacks = {.set_sample_rate = rate, .play_speech = play}};
    RHVoice_tts_engine engine = begin(&init);
    if (!engine) return fprintf(stderr, "RHVoice does not begin\n"), 1;
    static char line[65536], path[4096];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *voice = strtok(line, "\t"), *fast = strtok(NULL, "\t"), *high = strtok(NULL, "\t");
        char *warped = strtok(NULL, "\t"), *stem = strtok(NULL, "\t"), *text = strtok(NULL, "\t");
        if (!text) continue;
        speed = atof(fast), semitones = atof(high), warping = atof(warped);
        snprintf(path, sizeof path, "%s.s16", stem);
        sound = fopen(path, "wb");
        snprintf(path, sizeof path, "%s.phones", stem);
        phones = fopen(path, "w");
        if (!sound || !phones) return 1;
        written = 0;
        RHVoice_synth_params how = {.voice_profile = voice, .relative_rate = 1, .relative_pitch = 1, .relative_volume = 1};
        RHVoice_message said = message(engine, text, strlen(text), RHVoice_message_text, &how, NULL);
        if (!said || !speak(said)) fprintf(stderr, "not said by %s: %s\n", voice, text);
        if (said) drop(said);
        fclose(sound);
        fclose(phones);
    }
    return 0;
}
