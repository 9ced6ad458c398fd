import { describe, expect, it } from '@jest/globals';
import { languageOfQuestion } from './question-language.js';

describe('the language of a question', () => {
  it.each([
    ['Wie hoch ist die Kaution?', 'de'],
    ['und die Kaution?', 'de'],
    ['Muss ich die Wohnung streichen?', 'de'],
    ['Quel est le montant de la caution ?', 'fr'],
    ['Combien coûte le loyer ?', 'fr'],
    ['¿Cuánto es la fianza?', 'es'],
    ['¿Se permiten mascotas?', 'es'],
    ['Quanto è la cauzione?', 'it'],
    ['Chi ha firmato il contratto?', 'it'],
    ['Qual é o valor da caução?', 'pt'],
    ['Quem assinou o contrato?', 'pt'],
    ['Hoe hoog is de borg?', 'nl'],
    ['Wie heeft het contract getekend?', 'nl'],
    ['Kto podpisał umowę?', 'pl'],
    ['How much is the deposit?', 'en'],
    ['Who is Van der Berg?', 'en'],
    ['What is La Traviata about?', 'en'],
    ['Was it signed?', 'en'],
    ['Was ist das?', 'de'],
    ['押金是多少？', 'zh'],
    ['保証金はいくらですか', 'ja'],
    ['Сколько стоит аренда квартиры?', 'ru'],
  ])('%s is %s', (question, language) => expect(languageOfQuestion(question)).toBe(language));

  it.each([
    'Kaution?',
    'Kubernetes?',
    '§ 4',
    '2023?',
    'DIN EN ISO 9001?',
    'Jean-Claude Van Damme',
    'vegan recipes',
    'penalty late payment',
    'die cast metal price',
  ])('%s is left open', (question) => expect(languageOfQuestion(question)).toBeNull());
});
