import classes from './Strip.module.css';

const bars = 61;

/** A drawing of what a take is: a waveform over three curves. */
export function Strip() {
  return (
    <svg viewBox="0 0 420 130" width="420" height="130" className={classes.strip} aria-hidden="true">
      {Array.from({ length: bars }, (_, bar) => {
        const phase = bar / (bars - 1);
        const syllables = Math.abs(Math.sin(phase * 17)) ** 1.5 * Math.sin(phase * Math.PI) ** 0.6;
        const height = 3 + 44 * syllables * (0.6 + 0.4 * Math.abs(Math.sin(bar * 2.7)));
        const x = 10 + phase * 400;
        return <line key={x} x1={x} x2={x} y1={32 - height / 2} y2={32 + height / 2} />;
      })}
      {[0, 1, 2].map((curve) => (
        <path
          key={curve}
          d={Array.from({ length: 101 }, (_, step) => {
            const phase = step / 100;
            const y =
              84 +
              curve * 17 -
              13 * Math.abs(Math.sin(phase * (17 - curve * 4) + curve)) ** 2 * Math.sin(phase * Math.PI);
            return `${step === 0 ? 'M' : 'L'}${(10 + phase * 400).toFixed(1)} ${y.toFixed(1)}`;
          }).join('')}
        />
      ))}
    </svg>
  );
}
