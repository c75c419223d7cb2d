/* Speaks lines with espeak-ng and writes phoneme times beside each sound.
 * stdin, one job a line, tab-separated: voice, rate (words/min), pitch (0..99), range (0..99), out stem, text.
 * out: <stem>.s16 (mono, 22050 Hz) and <stem>.phones ("start-ms<TAB>IPA" a line, last line "end-ms<TAB>").
 * cc -O2 -o espeak_phones espeak_phones.c -lespeak-ng */
#include <espeak-ng/speak_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *sound, *phones;
static long samples;

static int take(short *wav, int count, espeak_EVENT *event) {
    if (wav && count > 0) {
        fwrite(wav, 2, count, sound);
        samples += count;
    }
    for (; event->type != espeakEVENT_LIST_TERMINATED; event++)
        if (event->type == espeakEVENT_PHONEME) {
            char name[9] = {0};
            memcpy(name, event->id.string, 8);
            fprintf(phones, "%d\t%s\n", event->audio_position, name);
        }
    return 0;
}

int main(void) {
    int rate = espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 200, NULL,
                                 espeakINITIALIZE_PHONEME_EVENTS | espeakINITIALIZE_PHONEME_IPA);
    static char line[65536], path[4096];
    espeak_SetSynthCallback(take);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *voice = strtok(line, "\t"), *speed = strtok(NULL, "\t"), *pitch = strtok(NULL, "\t");
        char *range = strtok(NULL, "\t"), *stem = strtok(NULL, "\t"), *text = strtok(NULL, "\t");
        if (!text) continue;
        if (espeak_SetVoiceByName(voice) != EE_OK) { fprintf(stderr, "no voice %s\n", voice); continue; }
        espeak_SetParameter(espeakRATE, atoi(speed), 0);
        espeak_SetParameter(espeakPITCH, atoi(pitch), 0);
        espeak_SetParameter(espeakRANGE, atoi(range), 0);
        snprintf(path, sizeof path, "%s.s16", stem);
        sound = fopen(path, "wb");
        snprintf(path, sizeof path, "%s.phones", stem);
        phones = fopen(path, "w");
        if (!sound || !phones) return 1;
        samples = 0;
        espeak_Synth(text, strlen(text) + 1, 0, POS_CHARACTER, 0, espeakCHARS_UTF8, NULL, NULL);
        fprintf(phones, "%ld\t\n", samples * 1000 / rate);
        fclose(sound);
        fclose(phones);
    }
    return 0;
}
