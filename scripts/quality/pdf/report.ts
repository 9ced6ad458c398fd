import type { QualityDocument } from './document.ts';

/** A cooperative's annual report: prose around figures, with the same words on many pages. */
export const report: QualityDocument = {
  name: 'Harbour Bakers report',
  footer: 'Harbour Bakers Cooperative — Annual Report 2024 —',
  pages: [
    {
      heading: 'Letter from the board',
      text: `Dear members,

The year 2024 was the first in which our cooperative sold more bread through its own shops than through supermarkets. That had been the aim since the founding assembly of 2009, and we reached it a year earlier than planned.

It was no easy year. A late frost and a wet July made the grain harvest of our partner farms the smallest in a decade, and flour cost more than ever before. We passed on only a part of this to customers. The board thanks all 212 employees for their patience and their ideas.

Ingrid Solheim, chair of the board`,
    },
    {
      heading: 'The year in figures',
      text: `Revenue rose by 11 percent to 18.4 million euros. Shops brought in 9.9 million, supermarkets 6.1 million, and restaurants and canteens 2.4 million.

After tax, 640,000 euros remained, down from 910,000 in the year before. The decline comes from the price of flour, which rose by 27 percent, and from the opening costs of two shops.

Members' capital stood at 5.2 million euros at the end of December, which is 48 percent of the balance sheet. Bank debt was cut from 3.6 to 3.1 million. The general assembly will be asked to pay a dividend of 2.5 percent on members' shares.`,
    },
    {
      heading: 'Shops',
      text: `We opened two shops: one at the Old Customs House in May and one beside the railway station in September. The cooperative now runs 14 shops. The shop on Mill Street was closed after the lease had ended; its four employees moved to the Customs House.

The station shop opens at 5:30 and sells a third of its goods before 8:00. Coffee brings in 22 percent of its takings, twice as much as elsewhere.

Since October, bread from the day before is sold at half price until 10:00 in all shops. Unsold bread fell from 9 to 6 percent of production. What is left in the evening goes to the food bank, 31 tonnes in this year.`,
    },
    {
      heading: 'The bakery',
      text: `The new stone oven went into operation on 12 February. It bakes 480 loaves an hour and uses 35 percent less gas than the one it replaced, which had served since 1998. It cost 1.15 million euros, a fifth of which was a grant from the regional climate fund.

For eleven days in March the sourdough rose too slowly. The cause was a faulty thermostat in the proofing room. About 9,000 loaves had to be given up as animal feed.

Night work begins at 1:00 instead of 23:00, since doughs now rest for eighteen hours in the cold store. In a survey, 83 percent of the night bakers said that they slept better.`,
    },
    {
      heading: 'Grain and farms',
      text: `We buy wheat, rye and spelt from 23 farms, none farther than 90 kilometres away. Contracts run for five years and name a lowest price, so that a farm can plan. In 2024 the market price lay above it all year.

Together with the agricultural college we tested four old varieties of rye. Two of them, Petkus and a landrace from the islands, gave a loaf that stayed fresh for a day longer. They will be grown on 40 hectares next year.

Of all grain, 71 percent was organic. The aim for 2027 is 85 percent. The mill at Askim, of which we own a third, ground 4,100 tonnes for us.`,
    },
    {
      heading: 'People',
      text: `At the end of the year 212 people worked here, 19 more than a year before. Half of them work part time. The average length of employment is 7.4 years. Sick leave went down from 6.8 to 5.9 percent.

Fourteen apprentices learn a trade with us, nine of them as bakers. All five who took their final examination in the summer passed, and four stayed.

Wages rose by 4 percent in April. The highest salary is at most four times the lowest; in 2024 it was 3.6 times. The works council was elected anew in November, with Tomasz Wilk as its chair.`,
    },
    {
      heading: 'Climate and energy',
      text: `Emissions fell by 14 percent to 1,930 tonnes of carbon dioxide. The larger part of it comes from grain growing, which we do not control alone. Deliveries within the city are made by six electric vans; the two diesel lorries that remain serve the islands.

The roof of the bakery carries 310 square metres of solar panels. They covered 18 percent of the electricity that we used. A heat exchanger brings the oven's waste heat to the washing hall.

Bread bags have been made of paper without a plastic window since June, which saves eleven tonnes of plastic a year.`,
    },
    {
      heading: 'Outlook',
      text: `For 2025 we plan with a revenue of 19.5 million euros and with a result of about 700,000. No new shop will open; the shops at the market and in the north town will be rebuilt instead, for 420,000 euros together.

The greatest risk remains the price of energy. Gas is bought ahead until the end of June only. If the price doubled, a loaf would have to cost 20 cents more.

The board proposes to open membership to customers. A share would cost 200 euros and carry one vote, however many shares somebody holds. The general assembly decides on 17 May in the concert hall.`,
    },
  ],
};
