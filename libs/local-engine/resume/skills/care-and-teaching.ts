/** Health, care, science, teaching and public service. The notation is explained in `skills.ts`. */
export const careAndTeaching = `
Nursing | nursing care, BSN, MSN > Registered Nurse, Licensed Practical Nurse, Nurse practitioner
Registered Nurse | =RN, RN license
Licensed Practical Nurse | =LPN, =LVN
Nurse practitioner
Nursing assistant | =CNA, certified nursing assistant
Patient care | direct patient care, bedside care, care of patients
Patient assessment | patient assessments, nursing assessment, assessing patients
Patient education | patient teaching, educating patients
Medication administration | administering medication, administering medications, medication management
Vital signs | vitals monitoring
Wound care | wound dressing, wound management
IV therapy | intravenous therapy, IV insertion, venipuncture, IV lines, IV placement
Phlebotomy | blood draws
Catheterization | catheter care
Ventilator management | ventilators, mechanical ventilation
Triage
Critical care | intensive care, =ICU
Emergency care | emergency department, emergency room, emergency medicine
Acute care
Medical-surgical nursing | med-surg, med surg, medical surgical unit
Pediatrics | paediatrics, pediatric nursing
Geriatrics | elderly care, aged care, older adults
Oncology
Obstetrics | labor and delivery, midwifery
Psychiatric care | mental health nursing, behavioral health, mental health
Palliative care | hospice, end-of-life care
Surgical care | perioperative, operating room, scrub nurse
Telemetry | cardiac monitoring, ECG, EKG
Infection control | infection prevention, aseptic technique
Care planning | care plans, nursing care plans
Discharge planning
Basic Life Support | =BLS, CPR, BLS certification
Advanced Cardiac Life Support | =ACLS
Pediatric Advanced Life Support | =PALS
First aid
HIPAA | patient confidentiality
Electronic health records | EHR, =EMR, electronic medical records, electronic charting > Epic Systems, Cerner, Meditech, Allscripts
Epic Systems | =Epic, Epic EHR, Epic EMR
Cerner
Meditech
Allscripts
Medical coding | ICD-10, CPT coding
Medical billing
Medical terminology
Medical records | clinical documentation, charting
Clinical trials | clinical research
Good Clinical Practice
Pharmacy | dispensing medication
Pharmacology
Radiology | radiography, X-ray
Physical therapy | physiotherapy
Occupational therapy
Speech therapy | speech-language pathology
Rehabilitation
Dental hygiene | dental assistant, dentistry
Nutrition | dietetics, diet planning
Veterinary care | animal care
Home care | home health, caregiving, personal care
Dementia care | Alzheimer's care
Safeguarding | child protection
Social work | casework
Counseling | counselling
Crisis intervention
Cognitive behavioral therapy | cognitive behavioural therapy, =CBT
Laboratory techniques | laboratory skills, lab work, wet lab
=PCR | qPCR
Cell culture
Microscopy
Chromatography | HPLC
Good Laboratory Practice | =GLP
Good Manufacturing Practice | =GMP, cGMP
Molecular biology
Biochemistry
Bioinformatics
Scientific writing | technical writing
Environmental science | environmental monitoring
GIS | ArcGIS, QGIS
Teaching | classroom teaching, classroom instruction
Lesson planning | lesson plans, planning lessons
Curriculum development | curriculum design, curriculum planning
Classroom management | behaviour management, behavior management
Differentiated instruction | differentiation, differentiated learning
Student assessment | grading, assessing students, formative assessment, assessment of pupils
Special education | special needs, =SEN, =SEND, individualized education programs, =IEP, =IEPs
Early childhood education | preschool, early years, kindergarten
Primary education | elementary education, elementary school, primary school
Secondary education | high school, secondary school, middle school
Higher education | university teaching
Tutoring
English as a second language | =ESL, =EFL, =TESOL, =TEFL, English language learners
Mathematics | math, maths
Science education | STEM education
Literacy | phonics, reading instruction
Educational technology | edtech, interactive whiteboard > Google Classroom, Moodle, Canvas LMS
Google Classroom
Moodle
Canvas LMS | =Canvas
Learning management systems | =LMS > Moodle, Canvas LMS, Google Classroom, Blackboard
Blackboard
E-learning | online teaching, online learning, distance learning
Instructional design
Parent communication | parent-teacher conferences, parent engagement, communicating with parents
Teaching license | teaching certificate, teaching credential, teaching licence, qualified teacher status, =QTS, teacher certification, certified teacher
Student engagement
Childcare | child care, nanny
Library science | cataloguing
Grant writing | grant proposals
Fundraising
Volunteer management | volunteer coordination
Nonprofit management | non-profit
Public policy | policy analysis
Community outreach
Law enforcement | patrol
Security guard | security patrol, CCTV
Emergency management | disaster preparedness
Firefighting
Emergency medical services | =EMT, paramedic
`;
