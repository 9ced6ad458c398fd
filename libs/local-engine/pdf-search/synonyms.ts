import { stemmer } from 'stemmer';

/** Groups of synonyms, one per line. */
const GROUPS = `
advantage benefit
allow allowed permit permitted may
amount sum total
answer reply respond response
automobile car vehicle
bad poor
beginning begin began begun start started
bill invoice
boss manager supervisor lead
build built construct construction
burn burns flammable inflammable combustible fire
buy bought purchase acquire
call phone telephone
cancel cancellation terminate termination notice
change alter modify
cheap inexpensive discount
child children kid minor
choose chose chosen select pick
clean cleaning rinse wash wipe
client customer buyer
close closed shut
close near beside next
colleague coworker
company firm business employer organisation organization
compensate compensated compensation reimburse reimbursement refund refunded repay
cost price fee charge expensive
country abroad foreign
danger hazard risk dangerous hazardous
date day deadline
decline fall fell fallen drop dropped decrease decreased reduce reduced down
defect fault failure error broken damage
degree bachelor master bsc msc phd diploma
doctor physician
duration long length period
email mail
employee staff worker personnel workforce
error code
expense spending
fast quick speed rapid
fix repair
forbid forbidden prohibit prohibited ban banned
give gave given grant granted
goal aim target objective
grow grew grown rise rose risen increase increased gain up
guarantee warranty
heavy weight weigh weighs
help support assistance
hobby interest
holiday vacation leave
home house remote
hot heat warm
ice frost frozen snow
ill illness sick sickness
immediate immediately instantly delay wait waits
improve improvement better
income earnings revenue turnover sales takings
inform notify report tell
job position work employment
job role
know knew known
large big size
late delay
law legal statute
lawyer attorney counsel
lead led
leave left depart
loss deficit
loud noise noisy sound hum decibel
make made produce production manufacture
maximum most highest limit
mean meaning
meet met meeting assembly
minimum least lowest
money funds
name called
nurse care
old age
open opened opening opens
owner own proprietor landlord
pay paid payment salary wage wages pay
picture image photo photograph figure
place location site where
present gift
problem trouble issue fault cause
profit result surplus earnings remained
quit resign
reason cause because why
rent lease
result outcome finding
rule policy regulation
safe safety secure
send sent submit
sell sold sale
shop store branch
show showed shown
speak spoke spoken
staff team
stop end finish
study research experiment survey
teach taught train training
tool device equipment
trip travel journey
use usage consumption
wage salary pay
write wrote written
year annual
`;

const byTerm = new Map<string, Set<string>>();
for (const line of GROUPS.trim().split('\n')) {
  const terms = line.split(' ').map((word) => stemmer(word));
  for (const term of terms) {
    byTerm.set(term, new Set([...(byTerm.get(term) ?? []), ...terms]));
  }
}
for (const [term, others] of byTerm) others.delete(term);

const none: ReadonlySet<string> = new Set();

/** English synonyms by stem. */
export const synonymsOf = (term: string): ReadonlySet<string> => byTerm.get(term) ?? none;
