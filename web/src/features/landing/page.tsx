import { Faq } from './faq';
import { Hero } from './hero';
import { HowItWorks } from './how-it-works';
import { Pricing } from './pricing';
import { Testimonials } from './testimonials';
import { ToolsIndex } from './tools-index';
import { useScrollToSection } from './use-scroll-to-section';

export default function LandingPage() {
  useScrollToSection();
  return (
    <>
      <title>Pressroom: powerful content creation, powered by AI tools</title>
      <Hero />
      <ToolsIndex />
      <HowItWorks />
      <Testimonials />
      <Pricing />
      <Faq />
    </>
  );
}
