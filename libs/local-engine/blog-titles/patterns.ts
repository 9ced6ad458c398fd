import type { TitleCategory } from '#libs/tools/generate-blog-title/contract.js';

/**
 * Title patterns. `{}` is the keyword; `{a}` and `{A}` the same with an article; `{s}` and `{is}` agree with its number.
 * None states a fact.
 */
export type Patterns = {
  /** The keyword after a preposition, without an article or in quotation marks. */
  about: string[];
  /** After the keyword and a colon; fits any keyword. */
  angle: string[];
  /** The keyword before another noun. */
  noun: string[];
  /** A task, after "how to". */
  task: string[];
};

export const byCategory: Record<Exclude<TitleCategory, 'General'>, Patterns> = {
  Technology: {
    about: [
      'A Plain-English Primer on {}',
      'The Security Questions to Ask About {}',
      'What Developers Wish They Had Known About {}',
      'Choosing Your Tools for {} Without the Hype',
      'The Hidden Trade-Offs Behind {}',
      'A Hands-On First Week With {}',
    ],
    angle: [
      'How It All Works Under the Hood',
      'A Practical Setup Guide',
      'What to Test Before You Commit',
      'Privacy, Security and the Small Print',
      'The Trade-Offs Behind the Hype',
      'From First Prototype to Daily Use',
    ],
    noun: [
      'Your First {} Setup, Step by Step',
      '{} Troubleshooting Without Tears',
      'The {} Security Checklist',
    ],
    task: [
      'How to {} Without Breaking What Already Works',
      'The Tools You Need to {}, and the Ones You Can Skip',
      'How to {} Securely From Day One',
      'Automate the Boring Parts When You {}',
    ],
  },
  Business: {
    about: [
      'The Business Case for {}',
      'How Small Teams Can Make the Most of {}',
      'What Your Customers Want to Know About {}',
      'Budgeting for {}: Where the Money Goes',
      'A Founder’s Field Guide to {}',
      'The Costly Mistakes Companies Make With {}',
    ],
    angle: [
      'What the Numbers Should Tell You',
      'A Strategy for Small Teams',
      'Costs, Risks and Returns',
      'What to Ask Before You Invest',
      'From Idea to Paying Customers',
      'A Checklist for Managers',
    ],
    noun: [
      'Building {a} Strategy That Lasts',
      'Your {} Budget, Line by Line',
      '{} Decisions Every Founder Faces',
    ],
    task: [
      'How to {} on a Small-Business Budget',
      'How to {} and Keep Your Customers Happy',
      'The Business Owner’s Plan to {}',
      'When to Hire Help to {}, and When to Do It Yourself',
    ],
  },
  Health: {
    about: [
      'What to Ask Your Doctor About {}',
      'A Gentle Introduction to {}',
      'Myths and Misunderstandings About {}',
      'Making Room for {} in a Healthy Week',
      'How to Read the Evidence on {}',
      'A Balanced Look at {}',
    ],
    angle: [
      'What to Ask Before You Start',
      'Small Habits for Body and Mind',
      'Sorting the Evidence From the Myths',
      'A Gentle Plan for Busy Weeks',
      'When to Seek Professional Advice',
      'Listening to What Your Body Tells You',
    ],
    noun: ['Your Weekly {} Plan, One Day at a Time', '{} Myths Worth Checking', 'A Kinder {} Routine'],
    task: [
      'How to {} Without Burning Out',
      'A Gentle Four-Week Plan to {}',
      'What to Ask Your Doctor Before You {}',
      'Healthy Habits That Help You {}',
    ],
  },
  Lifestyle: {
    about: [
      'Finding Joy in {}',
      'How to Make Time for {} in a Busy Life',
      'A Slower, Simpler Approach to {}',
      'Little Rituals Built Around {}',
      'What a Month of {} Could Change at Home',
      'Living Well With {}',
    ],
    angle: [
      'Small Changes for Everyday Joy',
      'A Weekend Well Spent',
      'Ideas for a Calmer Home',
      'Making Time in a Busy Life',
      'The Simple Pleasures',
      'Finding What Suits You',
    ],
    noun: ['Your Sunday {} Ritual', '{} Ideas for a Slow Weekend', '{A} Mood Board for Every Season'],
    task: [
      'How to {} and Enjoy Every Minute',
      'How to {} When Life Is Already Full',
      'A Slow-Living Approach: How to {}',
      'Small Rituals That Help You {}',
    ],
  },
  Education: {
    about: [
      'Teaching {}: Ideas for a First Lesson',
      'How to Study {} Without Cramming',
      'A Student’s Guide to {}',
      'The Questions Learners Ask About {}',
      'A Reading List for Getting Into {}',
      'Learning About {} at Your Own Pace',
    ],
    angle: [
      'A Lesson Plan for Beginners',
      'The Key Ideas, Explained Simply',
      'What Students Ask First',
      'Study Notes You Will Come Back To',
      'Activities for the Classroom and at Home',
      'How to Remember What You Learn',
    ],
    noun: [
      'Your First {} Lesson, Planned',
      '{A} Study Plan for Four Weeks',
      '{} Homework That Students Enjoy',
    ],
    task: [
      'How to Teach Somebody to {}',
      'A Study Plan for Learning How to {}',
      'The First Lessons When You Learn to {}',
      'How to {}: Class Notes for Beginners',
    ],
  },
  Travel: {
    about: [
      'A Traveler’s Guide to {}',
      'What to Pack and Plan for {}',
      'Off the Beaten Path With {}',
      'A Slow Journey Into {}',
      'Local Secrets and Etiquette Around {}',
      'Planning a Trip Around {}',
    ],
    angle: [
      'An Itinerary for a Long Weekend',
      'What to Pack and What to Leave at Home',
      'Where to Begin Your Journey',
      'Traveling Well on a Small Budget',
      'Notes From the Road',
      'A Map of What Not to Miss',
    ],
    noun: ['Your {} Packing List', '{A} Itinerary for Slow Travelers', '{} Stories From the Road'],
    task: [
      'How to {} While You Travel',
      'How to {} on a Backpacker’s Budget',
      'Where to Go When You Want to {}',
      'A Trip Plan for People Who Want to {}',
    ],
  },
  Food: {
    about: [
      'A Home Cook’s Guide to {}',
      'What to Serve With {}',
      'The Pantry You Need for {}',
      'A Taste of {}: Flavors Worth Trying',
      'Kitchen Lessons From {}',
      'A Seasonal Menu Inspired by {}',
    ],
    angle: [
      'Flavors, Textures and Where to Begin',
      'A Menu for Hungry Friends',
      'Kitchen Mistakes and How to Fix Them',
      'From the Pantry to the Plate',
      'Recipes for Busy Weeknights',
      'A Cook’s Notes',
    ],
    noun: ['{} Recipes for Busy Weeknights', '{A} Menu for Friends', 'The {} Shopping List'],
    task: [
      'How to {} in a Small Kitchen',
      'The Ingredients You Need to {}',
      'How to {} Like a Patient Home Cook',
      'Kitchen Shortcuts That Help You {}',
    ],
  },
};

/** The patterns of the category General, which fit every category. */
export const general: Patterns &
  Record<'comparison' | 'one' | 'single' | 'counted' | 'question' | 'answer', string[]> = {
  about: [
    'A Beginner’s Guide to {}',
    'Everything You Should Ask About {}',
    'The Honest Truth About Getting Started With {}',
    '7 Common Mistakes With {} and How to Avoid Them',
    'What Nobody Tells You About {}',
    'Rethinking {}: A Fresh Look',
    'The Small Details That Change How You See {}',
    '5 Ways to Get More Out of {}',
    'Making Sense of {}',
    'How to Talk About {} So That People Listen',
    'The First Steps Into {}',
    'A Second Opinion on {}',
  ],
  angle: [
    'Where to Begin',
    'What to Know Before You Start',
    'A Practical Guide for Beginners',
    'Myths, Facts and Open Questions',
    'The Questions Worth Asking',
    'What Works and What Does Not',
    'Lessons Learned the Hard Way',
    'A Fresh Look',
    'The Complete Checklist',
    '9 Ideas to Try This Week',
    'The Mistakes Almost Everybody Makes',
    'What Comes Next',
    'An Honest Introduction',
    'What Is Easily Overlooked',
    'Where Opinions Differ',
    'Three Points of View',
    'A Closer Look',
    'The Short Version and the Long One',
    'What It Comes Down To',
  ],
  /** After two things and a colon. */
  comparison: [
    'An Honest Comparison',
    'The Differences That Matter',
    'How to Choose',
    'Side by Side',
    'What Each Does Best',
    'Three Questions Before You Decide',
    'The Case for Each',
    'What the Choice Depends On',
    'Where They Are Alike',
    'Strengths and Weaknesses',
    'A Fair Look at Both',
    'Which One, and When',
  ],
  noun: [
    '{} Basics: A Short Guide',
    'The {} Checklist You Will Keep',
    '{} Questions, Answered',
    '{A} Plan You Can Follow',
    'The Art of {} Planning',
  ],
  one: [
    'Is {a} Right for You?',
    'What to Know Before You Choose {a}',
    'Do You Really Need {a}?',
    'A Beginner’s Guide to Choosing {a}',
    '7 Questions to Ask Before You Commit to {a}',
  ],
  /** With an article, of anything. */
  single: [
    'What People Ask About {a}',
    'How to Talk About {a} So That People Listen',
    'The Questions Behind {a}',
    'What {a} Can Teach You',
  ],
  counted: [
    'Why {} Matter{s} More Than You Think',
    '{is} {} Right for You?',
    'Why {} Deserve{s} a Closer Look',
  ],
  task: [
    'How to {}: A Guide for Beginners',
    '7 Ways to {} Without the Stress',
    'The Honest Guide for People Who Want to {}',
    'What to Know Before You {}',
    'How to {}, One Small Step at a Time',
    'Why It Is Hard to {}, and What Helps',
    '5 Mistakes to Avoid When You {}',
    'A Simple Plan to Help You {}',
  ],
  /** After a question. */
  answer: [
    'A Plain Answer',
    'What We Know and What We Do Not',
    'Looking at Both Sides',
    'The Question Behind the Question',
    'An Honest Attempt at an Answer',
    'Where to Look for an Answer',
    'Three Views and a Verdict',
    'The Answer Depends on You',
  ],
  question: [
    '“{}?” A Question Worth Asking',
    'Asked and Answered: {}?',
    'Five Ways to Answer “{}?”',
    'What We Really Mean When We Ask “{}?”',
    'The Short and the Long Answer to “{}?”',
  ],
};
