import type { QualityDocument } from './document.ts';

/** An employee handbook: rules with numbers, many of them alike. */
export const handbook: QualityDocument = {
  name: 'Lindqvist handbook',
  footer: 'Lindqvist Instruments · Employee Handbook · Page',
  pages: [
    {
      heading: 'Employee Handbook',
      text: `Lindqvist Instruments builds laboratory balances and thermometers in Karlstad. This handbook is for everybody who works here, in the workshop, in the office and on the road. It replaces all earlier editions and holds from 1 March.

If a rule here and your contract differ, your contract wins. If a rule here and the law differ, the law wins. Questions go to the people team, whose door is the green one on the second floor. The people team answers within two working days.

We have tried to keep this short. A rule that nobody can remember protects nobody. Where the handbook is silent, ask what a reasonable colleague would expect, and do that.`,
    },
    {
      heading: 'Working hours',
      text: `The ordinary working week has 38 hours. Core time, in which everybody is reachable, runs from 9:30 to 14:30. Outside it you choose your own hours between 6:00 and 20:00, agreed with your team.

Workshop shifts are planned three weeks ahead. A shift can be swapped with a colleague of the same qualification, as long as both tell the shift planner by noon of the day before.

Overtime is ordered in writing by a team lead. It is given back as free time within six months, at a rate of one and a half hours for each hour worked. Overtime on Sundays and public holidays counts double. Nobody may work more than ten hours in one day.`,
    },
    {
      heading: 'Holidays and leave',
      text: `Everybody has 28 days of paid holiday each calendar year, and 30 days from the age of 50. At least ten of them are to be taken in one stretch. Ask for holidays of more than three days at least six weeks before they begin.

Days that were not used move to the next year until 31 March; after that they lapse, unless illness kept you from taking them.

Parents may take leave until a child is eight years old. The company adds to the state benefit so that you receive 90 percent of your salary for the first 180 days. Two days of paid leave are given for moving house, and three days for the death of a close relative.`,
    },
    {
      heading: 'Illness',
      text: `Call or write to your team lead before 8:00 on the first day that you cannot work. A doctor's note is needed from the fourth day on. The first day of an illness is unpaid, as the law has it; from day two to day fourteen you receive 80 percent of your pay.

When you come back after more than four weeks, we plan the return together, and you may begin with half days. Tell us early if something at the workplace made you ill or made it worse.

Visits to a doctor or a dentist belong outside core time where that can be arranged. If it cannot, they count as working time, up to two hours each.`,
    },
    {
      heading: 'Working from home',
      text: `Office staff may work from home for up to three days a week. Tuesday is the day on which everybody is in the building. Workshop staff may do paperwork at home by arrangement.

The company provides a laptop, a monitor and a chair, and pays 40 euros a month towards electricity and the internet line. Equipment stays the company's property and comes back within a week of your last day.

Working from another country is possible for at most 20 days a year and only inside the European Union. It has to be approved by the people team first, because tax and social insurance may change.`,
    },
    {
      heading: 'Travel and expenses',
      text: `Trains come before planes. Flights are booked only when the railway would take longer than seven hours. Second class is the standard; first class is paid from four hours of travel on, if you work on the way.

Hotels up to 140 euros a night need no approval. Meals are paid as a flat rate of 34 euros a day, without receipts. For a private car we pay 0.38 euros for each kilometre.

Send in expenses by the tenth of the following month, with a photograph of each receipt. They are refunded with the next salary. The company card is for travel only and never for gifts.`,
    },
    {
      heading: 'Safety in the workshop',
      text: `Safety glasses are worn beyond the yellow line, also by visitors. Long hair is tied back and gloves are never worn at the lathe. Whoever sees a hazard stops the machine first and explains afterwards.

The first-aid box hangs beside the compressor. Six colleagues are trained in first aid; their photographs hang at each exit. Every injury, however small, is entered in the red book on the same day.

Mercury is handled in room 114 only, by two people together, with the extractor running. A spill is covered with sulphur powder and reported to the safety officer, Marit Ek, at extension 4410. The evacuation drill is held each April and October.`,
    },
    {
      heading: 'Leaving the company',
      text: `Either side may end the contract in writing. During the trial period of six months the notice period is two weeks. After that it is one month, and three months from the fifth year of service on.

In your last week you hand over your work, your keys and your badge. The people team writes a reference within fourteen days of your request. Holidays that are left are taken before the last day or paid out with the final salary.

What you learned about customers and unpublished designs stays confidential for two years after you leave. You may start at a competitor; we do not use clauses that forbid it.`,
    },
  ],
};
