/** Design, media, building, trades, transport, kitchens and farms. The notation is explained in `skills.ts`. */
export const craftsAndCreation = `
Graphic design
User experience design | =UX, UX design, user experience
User interface design | =UI, UI design, user interfaces, UI/UX, UX/UI
User research | usability testing, user interviews, user testing
Wireframing | wireframes
Prototyping | prototypes
Interaction design
Information architecture
Design systems | design system, component libraries > Storybook
Responsive design | responsive layouts, mobile-first
Accessibility | WCAG, accessible design, ARIA, a11y, accessible interfaces, Section 508
Typography
Color theory | colour theory
Illustration
Motion graphics | animation
Logo design | brand identity, visual identity
Print design | packaging design, print production
Web design
Design tools > Figma, =Sketch, Adobe XD, InVision, Adobe Photoshop, Adobe Illustrator
Figma
=Sketch
Adobe XD
InVision
Adobe Creative Suite | Adobe Creative Cloud, Adobe CC, Adobe Suite > Adobe Photoshop, Adobe Illustrator, Adobe InDesign, Adobe Premiere Pro, Adobe After Effects
Adobe Photoshop | Photoshop
Adobe Illustrator | =Illustrator
Adobe InDesign | InDesign
Adobe Premiere Pro | Premiere Pro
Adobe After Effects | After Effects
Adobe Lightroom | Lightroom
Final Cut Pro
DaVinci Resolve
Video editing > Adobe Premiere Pro, Final Cut Pro, DaVinci Resolve
Video production | filming, videography
Photography
Audio editing | sound design, Pro Tools
3D modeling | 3D modelling, =Blender, 3ds Max, =Maya
Canva
Journalism | reporting news
Editing | proofreading, copy editing
Creative writing | storytelling
Interior design
Fashion design
Architecture | architectural design
=CAD | computer-aided design > AutoCAD, SolidWorks, =Revit, SketchUp, CATIA
AutoCAD
SolidWorks
=Revit | BIM, building information modeling
SketchUp
CATIA
Civil engineering
Structural engineering | structural analysis
Mechanical engineering | mechanical design
Electrical engineering | circuit design
Chemical engineering
Industrial engineering
Finite element analysis | =FEA, ANSYS
Thermodynamics
Surveying | land surveying
Construction management | site management, construction supervision
Construction | building construction
Blueprint reading | reading blueprints, reading schematics, schematics, technical drawings, wiring diagrams
Cost estimation | estimating, quantity surveying
Building codes | building regulations
Carpentry | joinery, woodworking
Masonry | bricklaying
Concrete work | concrete
Roofing
Drywall | plastering
Painting and decorating | house painting
Flooring | tiling
Plumbing | pipefitting, pipe fitting
=HVAC | heating and ventilation, air conditioning, refrigeration
Electrical installation | electrical wiring, electrical installations, wiring, conduit bending, conduit installation, conduit
Electrical maintenance | electrical repairs, electrical troubleshooting, fault finding, fault-finding
Electrical code | National Electrical Code, =NEC, wiring regulations, BS 7671
Journeyman electrician | licensed electrician, electrician license, journeyman license, electrical license, master electrician
Motor controls | motor control, variable frequency drives, =VFD, =VFDs
Circuit breakers | panel boards, panelboards, switchgear, distribution boards
Power tools | hand tools
Multimeter | electrical testing, testing equipment
Lockout/tagout | LOTO, lock-out tag-out
Solar installation | solar panels, photovoltaic, =PV
Welding | MIG welding, TIG welding, arc welding
Machining | lathe, milling
CNC | CNC machining, CNC programming
Sheet metal | metal fabrication
Assembly | assembly line
Soldering
Automotive repair | vehicle repair, auto mechanic, vehicle maintenance
Diesel engines | diesel mechanic
Engine diagnostics | vehicle diagnostics
Preventive maintenance | preventative maintenance, equipment maintenance
Hydraulics | pneumatics
Facilities management | building maintenance
Occupational safety | workplace safety, health and safety, safety procedures, safety regulations
=OSHA | OSHA 10, OSHA 30
Risk assessments | hazard analysis
Quality control | quality inspection
ISO 9001
Production planning | production scheduling
Manufacturing | production line
Logistics
Supply chain management | supply chain
Inventory management | inventory control, stock control, stock management, cycle counts, cycle counting
Warehouse management | warehousing, warehouse operations
Warehouse management systems | =WMS, warehouse management system > Manhattan WMS, SAP
Manhattan WMS | Manhattan Associates
Order fulfillment | order picking, picking and packing, order fulfilment
Shipping and receiving | shipping, receiving goods
Freight forwarding | freight, freight management
Transportation management | transport planning, transportation planning, =TMS
Route planning | route optimization, route optimisation
Fleet management
Customs clearance | customs regulations, customs documentation, import and export, import/export, Incoterms
Demand planning | demand forecasting
Carrier management | carrier negotiations, carrier negotiation, carrier relations
Last-mile delivery | last mile
Forklift operation | forklift, forklift license, forklift certification, reach truck
Commercial driver's license | =CDL, HGV, truck driving
Driving license | driver's license, driving licence
Dispatching | dispatch
Aviation | flight operations
Cooking | culinary arts, food preparation
Menu planning | menu development
Food safety | food hygiene, HACCP, ServSafe
Kitchen management
Baking | pastry
Bartending | mixology
Table service | waiting tables, food service
Hotel management | hospitality management
Hospitality
Housekeeping | cleaning
Reservations | booking systems, Opera PMS
Tour guiding
Hairdressing | hair styling
Cosmetology | beauty therapy
Massage therapy
Personal training | fitness instruction
Landscaping | gardening
Farming | agriculture, crop production
Irrigation
Forestry
Mining
Oil and gas
Renewable energy | wind energy
Real estate | property management
`;
