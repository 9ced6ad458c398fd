import type { QualityDocument } from './document.ts';

/** An appliance's manual: instructions, lists, and a table of faults. */
export const manual: QualityDocument = {
  name: 'Nordvik manual',
  footer: 'Nordvik HP-12 heat pump, user manual, rev. C, page',
  pages: [
    {
      heading: 'Nordvik HP-12 air-to-water heat pump',
      text: `User manual, revision C

This manual explains how to use and look after the heat pump. Installation and repair are described in a separate book for technicians. Keep the manual where whoever uses the house can find it.

Signs used here: a triangle warns of injury, a drop warns of damage by water, and a hand marks an advice that saves energy.

The serial number stands on the silver plate at the right side of the outdoor unit. You need it whenever you call the service line.`,
    },
    {
      heading: 'For your safety',
      text: `Never open the housing. Inside, parts carry 400 volts even some minutes after the mains switch was turned off. The refrigerant R290 is propane and burns easily: no open flame, no smoking and no sparks within one metre of the outdoor unit.

Children from eight years on may use the controls if somebody has shown them how. They must not play with the unit, climb on it or put anything through the grille.

If you smell gas, turn off the main switch, leave the area and call a technician. Do not look for the leak yourself.`,
    },
    {
      heading: 'First start',
      text: `1. Open the two blue valves below the indoor unit.
2. Check that the pressure gauge shows between 1.2 and 1.8 bar.
3. Turn the main switch to I. The display lights up after about 20 seconds.
4. Choose the language with the wheel and press it.
5. Set date and time. The unit changes to summer time by itself.

The compressor waits for five minutes before it starts. This protects it and is no fault. In a cold house it can take two days until all rooms are warm, since floors store heat slowly.`,
    },
    {
      heading: 'Daily use',
      text: `Turn the wheel to change the room temperature in steps of half a degree. Press it once for hot water, twice for the holiday setting.

We advise against lowering the temperature at night by more than two degrees. Heating up in the morning would use more electricity than the night had saved.

Hot water is kept at 48 degrees. Once a week, in the night to Sunday, it is heated to 62 degrees against legionella. For a bath, choose Boost: the tank is then heated to 55 degrees once, which takes about forty minutes.

In the holiday setting rooms are held at 15 degrees and hot water is off.`,
    },
    {
      heading: 'Saving energy',
      text: `Keep the curve as flat as comfort allows. Each degree that the flow temperature is lower saves about 2.5 percent of electricity. Change the curve by one step, then wait for two days before you change it again.

Leave the valves of all radiators open. Closed rooms make the pump start and stop too often, which wears it out.

With a solar roof, connect the signal wire to terminal 14. The pump then prefers the hours in which the sun delivers more than 1.5 kilowatts. The display shows the seasonal performance factor under Info; a value above 3.5 is good for an older house.`,
    },
    {
      heading: 'Care and cleaning',
      text: `Look after the outdoor unit every month. Remove leaves from the grille by hand. In winter, clear snow away so that 30 centimetres remain free on all sides. Never use hot water or a hammer on ice: the unit defrosts by itself, and a cloud of steam is normal then.

Clean the dirt filter in the return pipe once a year. Close the two blue valves, unscrew the cap, rinse the sieve under the tap and put it back with the arrow pointing to the pump.

Wipe the housing with a damp cloth and mild soap. Solvents and pressure washers damage the coating. A technician must inspect the refrigerant circuit every second year.`,
    },
    {
      heading: 'When something goes wrong',
      text: `Code E1: the pressure is too low. Fill in water until the gauge shows 1.5 bar.
Code E4: the outdoor sensor gives no signal. Heating goes on with an assumed value of zero degrees. Call a technician.
Code E7: the flow is too small. Clean the filter and open all valves.
Code E9: the compressor was too hot. Wait for an hour and restart. If it comes again, call a technician.
The display stays dark: look whether the fuse in the house's cabinet has tripped.
Water drips from the safety valve while the tank heats up: this is normal, up to a cupful a day.
A loud hum at night: choose Silent in the menu, which limits the fan to 600 turns a minute between 22:00 and 6:00.`,
    },
    {
      heading: 'Technical data and guarantee',
      text: `Heat output at 7 degrees outside: 12 kilowatts. Electric power at most: 4.6 kilowatts. Works down to 22 degrees below zero. Sound level at a distance of one metre: 49 decibels. Weight of the outdoor unit: 138 kilograms. Hot water tank: 180 litres. Fuse: 3 times 16 amperes.

The guarantee runs for five years on the whole unit and for ten years on the compressor, if the inspection was done every second year. It does not cover damage by frost after the mains switch was turned off.

Service line: 0800 667 845, on working days from 7:00 to 19:00. At the end of its life the unit goes back to the dealer, who must take it for free.`,
    },
  ],
};
