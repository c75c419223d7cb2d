/**
 * How likely a text is in a language, in bits: few for its usual characters, many for rare ones. A file in an
 * unknown encoding is read in each of them, and the reading with the fewest bits is the one that somebody wrote.
 */

/** Declared here because this folder has neither DOM nor Node types; both provide it. */
declare const TextDecoder: new (encoding: string) => { decode(bytes: Uint8Array): string };

export interface Language {
  /** Bits of the characters it uses. */
  readonly bits: ReadonlyMap<string, number>;
  /** Bits of a letter beside one of ASCII: of another script that is hardly one word. */
  readonly besideAscii: number;
  /** The same beside a digit. */
  readonly besideDigit: number;
  /** Letters with an accent, where every word of several syllables has one. */
  readonly accented?: ReadonlySet<string>;
  /** Where they are given, words alternate them with consonants. */
  readonly vowels?: ReadonlySet<string>;
}

const asciiBits = 5;
/** A character of some other language. */
const foreignBits = 18;
/** Cost of a control or unassigned character, in bits: real text has none. */
const damageBits = 40;

/** Characters by how often they are used, the most frequent first (frequencies fall as Zipf's law has it). */
function byRank(
  characters: string,
  first: number,
  step: number,
  bits = new Map<string, number>(),
): Map<string, number> {
  let rank = 1;
  for (const character of characters) {
    if (!bits.has(character)) bits.set(character, first + step * Math.log2(rank));
    rank += 1;
  }
  return bits;
}

function addAll(bits: Map<string, number>, characters: Iterable<string>, each: number): Map<string, number> {
  for (const character of characters) if (!bits.has(character)) bits.set(character, each);
  return bits;
}

const marks = '’“”—–…‘«»„€£•·§º\u00a0';
const signs = '©®™±½¼¾²³×¡¿¢¥¶¨´¸ª';

/** Letters with their capitals, which stand at the beginning of few words. */
function alphabet(letters: ReadonlyMap<string, number>, more: string): Map<string, number> {
  const bits = new Map(letters);
  for (const [letter, cost] of letters) {
    const capital = letter.toUpperCase();
    if (capital !== letter && capital.length === 1) addAll(bits, capital, cost + 2);
  }
  return addAll(byRank(marks, 7, 0.8, addAll(addAll(bits, '°µ', 6), more, 8)), signs, 13);
}

/** A language in Latin letters. @param letters those that ASCII lacks, the most frequent first */
const latin = (letters: string, more = ''): Language => ({
  bits: alphabet(byRank(letters, 6, 1.2), more),
  besideAscii: 0,
  besideDigit: 0,
});

/** A language in an alphabet of its own, which all of its words are written in. */
const script = (letters: string, more = '', vowels = '', accented = ''): Language => ({
  bits: alphabet(new Map([...letters].map((letter, rank) => [letter, 3.4 + 0.13 * rank])), more),
  besideAscii: 8,
  besideDigit: 4,
  ...(vowels !== '' && { vowels: new Set(vowels) }),
  ...(accented !== '' && { accented: new Set(accented) }),
});

/** Characters of a part of a national standard: first bytes from `from` to `to`, second ones as in EUC. */
function level(encoding: string, from: number, to: number, seconds: readonly number[]): string {
  const bytes: number[] = [];
  for (let first = from; first <= to; first += 1) for (const second of seconds) bytes.push(first, second);
  return new TextDecoder(encoding).decode(Uint8Array.from(bytes)).replaceAll('\ufffd', '');
}
const span = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const euc = span(0xa1, 0xfe);
const gbk = [...span(0x40, 0x7e), ...span(0x80, 0xfe)];
const big5 = [...span(0x40, 0x7e), ...euc];

/** Of Chinese, the most frequent first; then surnames and what people's names are made of. */
const commonHan =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成' +
  '方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使' +
  '情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老' +
  '给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目' +
  '太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王' +
  '象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运吧吗呢啊哦嗯呀哪谁怎您请谢喜' +
  '欢爱跟谈吃喝快慢笑哭站坐睡爸妈哥姐弟妹男朋友孩钱车房红黄蓝绿黑春夏秋冬晚早午饭菜茶酒花草树鱼鸟狗猫飞跑跳唱歌写读送买卖穿' +
  '找帮忙错始终离近远左右往回每些百千零六七八九半双号节课班级校京城村乡县省州街楼层屋床桌椅灯窗衣服鞋帽音乐图画片视频照影演' +
  '李刘陈杨赵周吴徐孙胡朱林郭罗梁宋郑韩唐冯董程曹袁邓傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶余潘杜戴钟汪田姜范石姚谭廖邹熊陆郝孔崔康' +
  '毛邱秦江史顾侯邵孟龙段雷汤尹黎易武乔贺赖龚陶伟芳娜敏静丽磊洋艳勇杰娟涛超霞刚桂英华玉兰秀梅婷雪琳晶欣怡佳嘉俊宇轩浩梓涵子' +
  '巴古欧洲亚非奥澳岛群巨洛斐圣列律宾印尼泰越柬埔寨缅甸老挝蒙朝韩伊朗拉克叙土耳其希腊意葡萄牙班荷比瑞士典挪威芬丹冰波捷匈罗保塞克乌俄' +
  '半紧满低具转片专拿严环境约破响护局整防省市景红绝选布察层仅细维持般精充足属速造称讲究离首温随连参型客血米器压功负责青岁刻显' +
  '考验投按段材料念越深获复差且存须注香容易排增收况际影跟黑兵低群众引烟击细异阳医药病院护苦恐怕惊怒喊叫抱拉推拍踢咬吸呼闭睁' +
  '恩杀伤逃追抓偷骗救死鬼魔怪妖仙佛祖宗爷奶叔伯姑舅婚嫁娶育养孕胎婴幼童少壮寿康宁福禄喜财富贵穷贫困难险危急迫忽突竟居却仍' +
  '曾既虽然则否另此彼某谓呵哈嘿嗨喂唉咦哇呃噢哼嘛啦喽咱俩您她它阿姨婆公司经理董事员工资薪班休假旅游览观光飞机票船站港湾桥' +
  '沙漠森林草原湖泊河流瀑布洞穴悬崖峰谷岸滩浪潮暴雨云雾霜露虹闪电震灾祸火焰烧灰尘土泥石岩矿金银铜铁锡钢铝煤油气核能源编码字符串输键值址';
/** Of given names, and of the surnames that are rarer in texts. */
const nameHan =
  '玥琪瑶瑾璇璐莹颖倩薇蕾婕婧妍嫣婉娥媛妮姗娅娴珊珍珠琴琼莉莎菲菁萱蓉芝芸芮芯茜荷莲菊翠翔翊翰旭昊昕昌明星晓晖晗晟晨曦曼煜炜炎烁焕' +
  '熙燕凯凡刚辉鹏斌彬彤彦峻峰崇岩岚鑫锋锐铭钧钰钊镕镇锦淇淑淼渊润泽浦溪滢澜瀚亮信仁佑佩俪倪健儒冰凌凤凝卓博君启哲喆嘉堃培基坤' +
  '墨奕妙娇宁宏宣宸宽富尧屹巍帆庆庚廷弘强德志忠怀恒恺悦惠慧振捷敬斐昱晏智朋朗柔柏栋桐桃榕槐樱欢歆毅民沁沛泓泉洁洪洲浚浣潇灵' +
  '炫烨玄玮玲珂珏理琛琦瑞瑜璋璟甜皓睿瞳碧祥祺禹秋秦穆竹筠简粤绍绮维罡羽耀聪肖胜舒航良艺苑若范荣蒙蓓蔚虎裕诗诚谦豪贝贤赫辰逸' +
  '遥邦邢郁郎隆雁雅雯霄霆霖露青静音韵顺颂颜飒馨骏骁骄高魁鲁鸿鹤鹭麒麟龚戚窦鲍阮柯施柳殷葛欧诸葛司马上官';

/** Simplified characters of it, each with its traditional form. */
const traditionalOf =
  '这這个個们們来來为為国國说說时時会會对對于於着著过過发發后後里裡种種经經么麼学學现現当當没沒动動还還进進样樣从從实實军軍' +
  '无無与與长長机機关關点點业業将將两兩间間问問并並应應战戰头頭体體见見产產话話给給门門东東声聲员員论論处處义義几幾认認条條' +
  '系係气氣题題尔爾别別变變总總电電数數报報结結务務场場计計资資统統区區队隊决決马馬书書则則听聽达達强強难難权權设設记記类類' +
  '据據边邊张張该該规規万萬觉覺术術领領确確传傳师師观觀让讓识識带帶导導争爭运運吗嗎谁誰请請谢謝欢歡爱愛谈談妈媽钱錢车車红紅' +
  '蓝藍绿綠饭飯树樹鱼魚鸟鳥猫貓飞飛写寫读讀买買卖賣错錯终終离離远遠双雙号號节節级級乡鄉县縣楼樓层層灯燈乐樂图圖画畫视視频頻' +
  '刘劉陈陳杨楊赵趙吴吳孙孫罗羅郑鄭韩韓冯馮邓鄧吕呂苏蘇卢盧蒋蔣贾賈叶葉钟鐘谭譚邹鄒陆陸顾顧龙龍汤湯乔喬贺賀赖賴龚龔伟偉丽麗' +
  '磊磊艳豔杰傑涛濤刚剛华華兰蘭轩軒儿兒';

function traditional(simplified: string): string {
  const pairs = [...traditionalOf];
  const forms = new Map(pairs.flatMap((simple, at) => (at % 2 === 0 ? [[simple, pairs[at + 1]!]] : [])));
  return [...simplified].map((han) => forms.get(han) ?? han).join('');
}

const cjkMarks = '，。、！？：；“”‘’《》「」『』（）【】〈〉…—～·　';
const fullWidth = span(0xff01, 0xff5e).map((code) => String.fromCharCode(code));
const isHan = (character: string): boolean => /\p{Script=Han}/u.test(character);

/** @param known characters of the standard's first level, which hold nearly all of a text; then of the second */
function chinese(common: string, names: string, known: string, rare: string): Language {
  // Tables of photos have one of them in each line.
  const bits = byRank(common, 4.6, 0.75, addAll(new Map(), '女男', 5.5));
  addAll(bits, cjkMarks, 6.5);
  addAll(bits, names, 11.5);
  addAll(bits, [...known].filter(isHan), 13);
  addAll(bits, [...rare].filter(isHan), 16);
  return { bits: addAll(bits, fullWidth, 11), besideAscii: 4, besideDigit: 0 };
}

const commonKanji =
  '日一人年大十二本中国出生時分三間上行者見事方学会前今自手部子社同物業場高月気地合代後話明思持入東新意世力実体私発長車最' +
  '言知電定問彼女男何小下来名目先田山川水木金火土夜朝食飲読書聞買売家店駅道町村市京都県北南西口耳足心愛友父母兄弟姉妹好悪安';
const hiragana = 'のにはたをとがでてしいるなかっれらもすりこだまさきめくあけどろえよつやわちみせうそべ';

function japanese(): Language {
  const bits = byRank(hiragana, 4.5, 0.6);
  addAll(bits, 'ー、。「」・！？…（）『』〜　', 6.5);
  addAll(bits, level('euc-jp', 0xa4, 0xa4, euc), 9);
  addAll(bits, level('euc-jp', 0xa5, 0xa5, euc), 7.5);
  byRank(commonKanji, 6, 0.75, bits);
  addAll(bits, level('euc-jp', 0xb0, 0xcf, euc), 13);
  addAll(bits, level('euc-jp', 0xd0, 0xf4, euc), 17);
  return { bits: addAll(bits, fullWidth, 11), besideAscii: 4, besideDigit: 0 };
}

const commonHangul =
  '이다는에의을하고가지로도은를니어기서한아사리자시라있나것수대들인게그정해부보일주스전구상세과여러면와안오만요소무저우마제모' +
  '원장성동말비네없생신선더위조내할거때문유국학경물방공간김박최녕반갑습합까좋감왔됩했았었였겠입늘단' +
  '방각콜좋종료질문답책집밥물술친구형누나언오빠엄아빠할머니버지민수영희철진준현우석훈혜은경미숙정윤최강조임장오서권황송류전홍안손양배백허남심노곽성차주우구민유진엄채원천방공변염여추도석설마길연표명기반라왕금옥육인맹제모탁국';

function korean(): Language {
  const bits = byRank(commonHangul, 4.6, 0.75);
  addAll(bits, level('euc-kr', 0xb0, 0xc8, euc), 13);
  addAll(bits, '…“”‘’「」『』《》·　', 9);
  addAll(bits, level('euc-kr', 0xca, 0xfd, euc), 18);
  // Syllables that the standard lacks and Windows has.
  addAll(
    bits,
    span(0xac00, 0xd7a3).map((code) => String.fromCharCode(code)),
    16,
  );
  return { bits: addAll(bits, fullWidth, 12), besideAscii: 4, besideDigit: 0 };
}

const makers = {
  simplified: () =>
    chinese(commonHan, nameHan, level('gb18030', 0xb0, 0xd7, euc), level('gb18030', 0x81, 0xf7, gbk)),
  traditional: () =>
    chinese(
      traditional(commonHan),
      traditional(nameHan),
      level('big5', 0xa4, 0xc6, big5),
      level('big5', 0xc9, 0xf9, big5),
    ),
  japanese,
  korean,
  english: () => latin('éèêïçñöüáâ'),
  french: () => latin('éàèêçùâîôûëïœ'),
  german: () => latin('äüößé'),
  spanish: () => latin('óíáéñúü', '¿¡ª'),
  portuguese: () => latin('ãçáéíóõâêúàô'),
  italian: () => latin('èàùòìé'),
  nordic: () => latin('åäöøæéü'),
  icelandic: () => latin('áíðþæöéúóý'),
  polish: () => latin('łąęóżśćńź'),
  czech: () => latin('íáéěřščžýůúťďňľĺŕôä'),
  hungarian: () => latin('éáőöüóíúű'),
  croatian: () => latin('čšžćđ'),
  romanian: () => latin('ăîâşţșț'),
  turkish: () => latin('ıüşğöçâ', 'İ'),
  baltic: () => latin('āėēīšūžčųįąęģķļņõäöü'),
  russian: () => script('оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё', '№', 'оеаиуяыюэёьъ'),
  ukrainian: () => script('оаиніертсвлкдумпязьбгйчхцїжєшюфщґ', '№', 'оаиіеуяїєюь'),
  greek: () => script('αοιετνσρκπυηλωςμίάόέγδθχώήύφξβζψϊϋΐΰ', '', 'αοιευηωίάόέώήύϊϋΐΰ', 'άέήίόύώΐΰ'),
  hebrew: () => script('יוהלארתבמשנםעקדחפכגזטסןצךףץ'),
  arabic: () => script('اليمونترببعةسدفهكقحجشطصخزذضظغثأإىئءؤآ', '،؟'),
  thai: () => script('านรกอเงมยลวดทส่ต้ะปีบคิัหแจุพชขืใไู็โผ์ถซำณธฐศษฉภญฟ'),
} as const satisfies Readonly<Record<string, () => Language>>;

export type LanguageName = keyof typeof makers;

const made = new Map<LanguageName, Language>();

/** A language by its name; made at its first use. */
function languageOf(name: LanguageName): Language {
  const known = made.get(name) ?? makers[name]();
  made.set(name, known);
  return known;
}

/** Bits of a text in a language: the fewer, the likelier somebody wrote it. */
export function bitsIn(text: string, name: LanguageName): number {
  const language = languageOf(name);
  const { bits, vowels } = language;
  let sum = 0;
  let before = '';
  let run = 0;
  let wasVowel = false;
  let word = '';
  for (const character of text) {
    sum += character < '\u0080' ? asciiCost(character) : (bits.get(character) ?? foreignCost(character));
    sum += joinCost(before, character, language);
    before = character;
    if (vowels === undefined) continue;
    const letter = character.toLowerCase();
    if (/\p{L}/u.test(character)) word += character;
    else {
      sum += accentCost(word, language);
      word = '';
    }
    const isVowel = vowels.has(letter);
    if (character < '\u0080' || letter === character.toUpperCase()) run = 0;
    else run = isVowel === wasVowel ? run + 1 : 1;
    wasVowel = isVowel;
    if (run > 2) sum += run > 3 || isVowel ? 3 : 1.5;
  }
  return sum + accentCost(word, language);
}

/** Cost of a word that lacks the accent that all words of its language have, but for those in capitals. */
function accentCost(word: string, { vowels, accented }: Language): number {
  if (!vowels || !accented || word === word.toUpperCase()) return 0;
  const letters = [...word.toLowerCase()];
  const isWhole = letters.some((letter) => accented.has(letter));
  return isWhole || letters.filter((letter) => vowels.has(letter)).length < 2 ? 0 : 3;
}

/** Bits of a text in whatever language: what a decoder took for characters is likely so. */
export function bitsAsUtf8(text: string): number {
  let sum = 0;
  for (const character of text)
    sum += character < '\u0080' ? asciiCost(character) : Math.min(damageBits, foreignCost(character) - 10);
  return sum;
}

const asciiCost = (character: string): number =>
  character < ' ' && !/[\t\n\r]/.test(character) ? damageBits : asciiBits;

const foreignCost = (character: string): number =>
  /[\ufffd\p{Cc}\p{Co}\p{Cn}\p{Cs}]/u.test(character) ? damageBits : foreignBits;

const isAsciiLetter = (character: string): boolean => /^[a-z]/i.test(character);

const isLetterBesideDigit = (letter: string, digit: string): boolean =>
  /\d/.test(digit) && letter >= '\u0080' && /\p{L}/u.test(letter);

function joinCost(before: string, character: string, { besideAscii, besideDigit }: Language): number {
  if (before < '\u0080' && character < '\u0080') return 0;
  let cost = 0;
  if (/\p{Lu}/u.test(character)) {
    if (/\p{Ll}/u.test(before)) cost += 6;
    // A word in capitals.
    else if (/\p{Lu}/u.test(before)) cost -= 1.5;
  }
  if (
    /[\p{L}\p{M}]/u.test(character) &&
    /[\p{L}\p{M}]/u.test(before) &&
    isAsciiLetter(character) !== isAsciiLetter(before)
  )
    cost += besideAscii + (besideAscii > 0 && /[a-z]/.test(before + character) ? 3 : 0);
  if (isLetterBesideDigit(before, character) || isLetterBesideDigit(character, before)) cost += besideDigit;
  // An apostrophe within a word.
  if (before === '’' && /[a-z]/.test(character)) cost -= 3;
  // A sign within a word, as in cafÂ©, ca³y, £ukasz and Wei§, is a letter of another encoding.
  if (/\p{L}/u.test(before) && /[\p{S}\p{No}§¶•†‡¿¡]/u.test(character)) cost += 3;
  if (/[\p{Sc}§¶¿¡]/u.test(before) && /\p{Ll}/u.test(character)) cost += 3;
  return cost;
}
