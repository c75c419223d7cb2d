/** Words for the currencies, units and scales beside a number. Singular and plural. */
type OneMany = readonly [one: string, many: string];

export interface Currency {
  readonly unit: OneMany;
  readonly cent: OneMany | null;
}

const cents: OneMany = ['cent', 'cents'];
export const currencies: Readonly<Record<string, Currency>> = {
  $: { unit: ['dollar', 'dollars'], cent: cents },
  '€': { unit: ['euro', 'euros'], cent: cents },
  '£': { unit: ['pound', 'pounds'], cent: ['pence', 'pence'] },
  '¥': { unit: ['yen', 'yen'], cent: null },
  '￥': { unit: ['yuan', 'yuan'], cent: null },
  '₹': { unit: ['rupee', 'rupees'], cent: null },
  '₩': { unit: ['won', 'won'], cent: null },
  '₽': { unit: ['ruble', 'rubles'], cent: null },
  '₿': { unit: ['bitcoin', 'bitcoins'], cent: null },
};

export const scales: Readonly<Record<string, string>> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  bn: 'billion',
  b: 'billion',
  tn: 'trillion',
  thousand: 'thousand',
  million: 'million',
  billion: 'billion',
  trillion: 'trillion',
};

const per = (unit: OneMany, other: string): OneMany => [`${unit[0]} per ${other}`, `${unit[1]} per ${other}`];
const kilometres: OneMany = ['kilometer', 'kilometers'];
const metres: OneMany = ['meter', 'meters'];
const miles: OneMany = ['mile', 'miles'];

/** As written after a number; small and capital letters differ. */
export const units: Readonly<Record<string, OneMany>> = {
  km: kilometres,
  m: metres,
  cm: ['centimeter', 'centimeters'],
  mm: ['millimeter', 'millimeters'],
  nm: ['nanometer', 'nanometers'],
  'km/h': per(kilometres, 'hour'),
  kmh: per(kilometres, 'hour'),
  kph: per(kilometres, 'hour'),
  'm/s': per(metres, 'second'),
  mph: per(miles, 'hour'),
  mi: miles,
  ft: ['foot', 'feet'],
  yd: ['yard', 'yards'],
  kg: ['kilogram', 'kilograms'],
  g: ['gram', 'grams'],
  mg: ['milligram', 'milligrams'],
  lb: ['pound', 'pounds'],
  lbs: ['pound', 'pounds'],
  oz: ['ounce', 'ounces'],
  l: ['liter', 'liters'],
  L: ['liter', 'liters'],
  ml: ['milliliter', 'milliliters'],
  mL: ['milliliter', 'milliliters'],
  s: ['second', 'seconds'],
  ms: ['millisecond', 'milliseconds'],
  sec: ['second', 'seconds'],
  min: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  hr: ['hour', 'hours'],
  hrs: ['hour', 'hours'],
  Hz: ['hertz', 'hertz'],
  kHz: ['kilohertz', 'kilohertz'],
  MHz: ['megahertz', 'megahertz'],
  GHz: ['gigahertz', 'gigahertz'],
  W: ['watt', 'watts'],
  kW: ['kilowatt', 'kilowatts'],
  MW: ['megawatt', 'megawatts'],
  kWh: ['kilowatt hour', 'kilowatt hours'],
  V: ['volt', 'volts'],
  dB: ['decibel', 'decibels'],
  KB: ['kilobyte', 'kilobytes'],
  MB: ['megabyte', 'megabytes'],
  GB: ['gigabyte', 'gigabytes'],
  TB: ['terabyte', 'terabytes'],
  Mbps: ['megabit per second', 'megabits per second'],
  cal: ['calorie', 'calories'],
  kcal: ['kilocalorie', 'kilocalories'],
  px: ['pixel', 'pixels'],
  fps: ['frame per second', 'frames per second'],
  'm²': ['square meter', 'square meters'],
  'km²': ['square kilometer', 'square kilometers'],
  '°C': ['degree celsius', 'degrees celsius'],
  '℃': ['degree celsius', 'degrees celsius'],
  '°F': ['degree fahrenheit', 'degrees fahrenheit'],
  '℉': ['degree fahrenheit', 'degrees fahrenheit'],
  '°': ['degree', 'degrees'],
};

/** The longest first, so that `km/h` is not read as `km`. */
export const alternatives = (words: Iterable<string>): string =>
  [...words]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|');

export const isOne = (number: string): boolean => /^0*1(?:\.0*)?$/.test(number);
