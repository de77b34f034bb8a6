import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { upgradeRecords } from "../../src/store/upgrade.ts";
import type { Caller } from "../harness/caller.ts";
import { aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

/** Text as it is written in a script, without spaces around the words that are searched for, which stand inside it. */
const scripts: Record<string, { readonly text: string; readonly inside: readonly string[] }> = {
  "Chinese, simplified": {
    text: "项目反馈服务帮助开发者发布移动应用并收集测试人员的结构化意见",
    inside: [
      "反馈",
      "服务",
      "开发者",
      "发布",
      "移动应用",
      "应用",
      "收集",
      "测试人员",
      "结构化",
      "意见",
      "反馈服务帮助开发者发布",
    ],
  },
  "Chinese, traditional": {
    text: "臺灣氣象資料視覺化網站提供即時雨量地圖與颱風路徑預測",
    inside: [
      "氣象",
      "資料",
      "視覺化",
      "網站",
      "提供",
      "即時",
      "雨量",
      "地圖",
      "颱風",
      "預測",
      "即時雨量地圖與颱風路徑",
    ],
  },
  Japanese: {
    text: "東京の天気予報アプリは毎日の気温と降水確率をわかりやすく表示します",
    inside: [
      "天気",
      "予報",
      "天気予報",
      "アプリ",
      "毎日",
      "気温",
      "降水",
      "確率",
      "わかりやすく",
      "表示",
      "天気予報アプリは毎日",
    ],
  },
  Hiragana: {
    text: "ちいさなにわのたねまきをてつだうどうぐ",
    inside: ["にわ", "たね", "たねまき", "まき", "てつだう", "どうぐ", "さな", "のたね", "をてつだう", "うどうぐ"],
  },
  Katakana: {
    text: "モバイルゲームストアレビューアナリティクスダッシュボード",
    inside: [
      "ゲーム",
      "ストア",
      "レビュー",
      "アナリティクス",
      "ダッシュ",
      "ボード",
      "ダッシュボード",
      "ｹﾞｰﾑ",
      "ストアレビュー",
      "ゲームストアレビューアナリティクス",
    ],
  },
  Korean: {
    text: "새로운프로젝트관리시스템은사용자의견수집과버그보고기능을제공합니다",
    inside: [
      "프로젝트",
      "관리",
      "시스템",
      "사용자",
      "의견",
      "수집",
      "버그",
      "보고",
      "기능",
      "제공",
      "프로젝트관리시스템",
    ],
  },
  Thai: {
    text: "แอปพยากรณ์อากาศวันนี้แสดงอุณหภูมิและปริมาณน้ำฝนในกรุงเทพ",
    inside: ["พยากรณ์", "อากาศ", "วันนี้", "แสดง", "อุณหภูมิ", "ปริมาณ", "น้ำ", "น้ำฝน", "ฝน", "กรุงเทพ", "พยากรณ์อากาศวันนี้แสดง"],
  },
  Lao: {
    text: "ແອັບພະຍາກອນອາກາດປະຈຳວັນຂອງນະຄອນຫຼວງວຽງຈັນ",
    inside: ["ພະຍາກອນ", "ອາກາດ", "ປະຈຳ", "ວັນ", "ຂອງ", "ນະຄອນ", "ຫຼວງ", "ວຽງຈັນ", "ນະຄອນຫຼວງ", "ພະຍາກອນອາກາດ"],
  },
  Khmer: {
    text: "កម្មវិធីព្យាករណ៍អាកាសធាតុប្រចាំថ្ងៃសម្រាប់រាជធានីភ្នំពេញ",
    inside: ["ព្យាករណ៍", "អាកាស", "អាកាសធាតុ", "ធាតុ", "ប្រចាំ", "ថ្ងៃ", "សម្រាប់", "រាជធានី", "ភ្នំពេញ", "ប្រចាំថ្ងៃ"],
  },
  Burmese: {
    text: "ရန်ကုန်မြို့ရာသီဥတုခန့်မှန်းချက်အပလီကေးရှင်းနေ့စဉ်",
    inside: ["မြို့", "ရာသီ", "ဥတု", "ရာသီဥတု", "ခန့်မှန်း", "ချက်", "ခန့်မှန်းချက်", "အပလီကေးရှင်း", "နေ့စဉ်", "ရာသီဥတုခန့်မှန်းချက်"],
  },
  Tibetan: {
    text: "བོད་ཡིག་ཚིག་མཛོད་མཉེན་ཆས་གསར་པ་འདི་སློབ་མའི་ཆེད་ཡིན",
    inside: ["ཡིག", "ཚིག", "མཛོད", "ཚིག་མཛོད", "མཉེན་ཆས", "གསར་པ", "འདི", "སློབ", "སློབ་མའི", "ཆེད"],
  },
  Javanese: {
    text: "ꦲꦥ꧀ꦭꦶꦏꦱꦶꦠꦤ꧀ꦢꦸꦫꦤ꧀ꦏꦼꦧꦺꦴꦤ꧀",
    inside: ["ꦭꦶꦏꦱꦶ", "ꦏꦱꦶ", "ꦠꦤ꧀ꦢꦸꦫꦤ꧀", "ꦢꦸꦫꦤ꧀", "ꦏꦼꦧꦺꦴꦤ꧀", "ꦧꦺꦴꦤ꧀", "ꦫꦤ꧀", "ꦱꦶꦠꦤ꧀", "ꦤ꧀ꦏꦼ", "ꦭꦶꦏꦱꦶꦠꦤ꧀ꦢꦸꦫꦤ꧀"],
  },
  Balinese: {
    text: "ᬳᬧ᭄ᬮᬶᬓᬲᬶᬢᬡ᭄ᬤᬸᬭᬦ᭄ᬓᭂᬩᭀᬦ᭄",
    inside: ["ᬮᬶᬓᬲᬶ", "ᬓᬲᬶ", "ᬢᬡ᭄ᬤᬸᬭᬦ᭄", "ᬤᬸᬭᬦ᭄", "ᬓᭂᬩᭀᬦ᭄", "ᬩᭀᬦ᭄", "ᬭᬦ᭄", "ᬲᬶᬢᬡ᭄", "ᬦ᭄ᬓᭂ", "ᬮᬶᬓᬲᬶᬢᬡ᭄ᬤᬸᬭᬦ᭄"],
  },
  Yi: {
    text: "ꆈꌠꁱꂷꊿꄯꒉꐛꅉꀕꄷꁨꇬ",
    inside: ["ꌠꁱ", "ꁱꂷ", "ꂷꊿ", "ꊿꄯ", "ꄯꒉ", "ꒉꐛ", "ꐛꅉ", "ꅉꀕ", "ꀕꄷ", "ꁨꇬ", "ꁱꂷꊿꄯꒉꐛꅉꀕ"],
  },
  Bopomofo: {
    text: "ㄊㄞㄨㄢㄊㄧㄢㄑㄧㄩˋㄅㄠˋ",
    inside: ["ㄨㄢ", "ㄊㄧㄢ", "ㄑㄧ", "ㄩ", "ㄅㄠ", "ㄞㄨㄢ", "ㄊㄧㄢㄑㄧ", "ㄢㄊㄧㄢ", "ㄑㄧㄩ", "ㄞㄨㄢㄊㄧㄢㄑㄧ"],
  },
};

test("C-SEARCH-1: at least twelve scripts are tested, with ten queries each", () => {
  const names = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Javanese"];
  const distinct = [...names, "Bopomofo", "Balinese", "Yi"].filter((name) => {
    const written = new RegExp(`^\\p{Script_Extensions=${name}}+$`, "u");
    const queries = Object.values(scripts).flatMap(({ inside }) => inside.filter((query) => written.test(query)));
    return queries.length >= 10;
  });
  expect(distinct.length).toBeGreaterThanOrEqual(12);
});

/** A word as it is written, and ways to write it that a search takes for the same. */
const sameWords: readonly [text: string, queries: readonly string[]][] = [
  ["e-mail", ["email", "e-mail", "E-Mail", "e\u2011mail", "mail"]],
  ["email", ["e-mail", "email"]],
  ["v2.0.1", ["2.0", "v2", "v2.0", "2.0.1", "v2.0.1"]],
  ["c++", ["c++", "C++", "c"]],
  ["C#", ["c#"]],
  ["node.js", ["node.js", "nodejs", "js"]],
  ["nodejs", ["node.js"]],
  ["don't", ["dont", "don\u2019t", "don't"]],
  ["snake_case", ["snakecase", "snake_case", "case"]],
  ["state-of-the-art", ["stateoftheart", "state-of-the", "the-art", "art"]],
  ["كِتَابٌ", ["كتاب", "كِتاب", "كـتـاب"]],
  ["كتاب", ["كِتَابٌ"]],
  ["שָׁלוֹם", ["שלום", "שָׁלוֹם"]],
  ["שלום", ["שָׁלוֹם"]],
  ["می‌خواهم", ["میخواهم", "می‌خواهم", "خواهم"]],
  ["हिन्दी", ["हिन्दी", "हिन्दि"]],
  ["Ελληνικά", ["ελληνικα", "ΕΛΛΗΝΙΚΑ"]],
  ["Việt", ["viet", "VIỆT"]],
];

/** Queries that do not find a word, though it has their letters. */
const otherWords: readonly [text: string, query: string][] = [
  ["c", "c++"],
  ["C#", "c++"],
  ["v20", "2.0"],
  ["201", "2.0.1"],
  ["v2.1", "2.0"],
  ["example", "ample"],
  ["项目反馈服务", "馈反"],
];

let server: TestServer;
let ada: Caller;
let marker = 0;
beforeAll(async () => {
  server = await startServer();
  ada = await server.account();
});
afterAll(() => server.stop());

async function store(text: string): Promise<{ id: string; isFoundBy(query: string): Promise<boolean> }> {
  // Each project has a word of its own, so that others are not found beside it.
  marker += 1;
  const own = `marker${marker}x`;
  const { id } = await aProject(ada, { title: own, description: text });
  return {
    id,
    async isFoundBy(query) {
      const { body } = await ada.get(`/projects?search=${encodeURIComponent(`${own} ${query}`)}`);
      expect(body.pagination.total).toBe(body.data.length);
      return body.data.length === 1 && body.data[0].id === id;
    },
  };
}

describe.each(Object.entries(scripts))("C-SEARCH-1: in %s", (_, { text, inside }) => {
  test(`${inside.length} words inside unspaced text are found`, async () => {
    expect(inside.length).toBeGreaterThanOrEqual(10);
    const { isFoundBy } = await store(text);
    const missed = [];
    for (const query of inside) if (!(await isFoundBy(query))) missed.push(query);
    expect(missed).toEqual([]);
  });

  test("a word of another text is not", async () => {
    const { isFoundBy } = await store(text);
    for (const other of Object.values(scripts)) {
      if (other.text === text) continue;
      expect(await isFoundBy(other.text)).toBe(false);
    }
  });
});

test.each(sameWords)("C-SEARCH-1: %s is found by %j", async (text, queries) => {
  const { isFoundBy } = await store(text);
  for (const query of queries) expect(await isFoundBy(query), query).toBe(true);
});

test.each(otherWords)("C-SEARCH-1: %s is not found by %s", async (text, query) => {
  expect(await (await store(text)).isFoundBy(query)).toBe(false);
});

test("C-SEARCH-1: projects that were stored under other rules are found after their index is rebuilt", async () => {
  const { id, isFoundBy } = await store("项目反馈服务");
  await server.database.projects.updateOne({ _id: id }, { $set: { words: [`marker${marker}x`, "项目反馈服务"] } });
  expect(await isFoundBy("反馈")).toBe(false);
  expect(await upgradeRecords(server.database)).toEqual({ projects: 1, feedback: 0 });
  expect(await isFoundBy("反馈")).toBe(true);
  expect(await upgradeRecords(server.database)).toEqual({ projects: 0, feedback: 0 });
});
