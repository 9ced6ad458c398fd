import { Link } from 'react-router-dom';
import clsx from 'clsx';
import { Star } from 'lucide-react';
import { testimonials, type Testimonial } from '../../shared/content/sample';
import { Section } from './section';

export function Testimonials() {
  return (
    <Section
      id="Testimonials"
      title="Loved by Creators"
      subtitle="What writers, marketers and job seekers say about Pressroom"
    >
      <ul className="columns-1 gap-6 sm:columns-2 lg:columns-3">
        {testimonials.map((testimonial) => (
          <li key={testimonial.name} className="mb-6 break-inside-avoid">
            <Quote {...testimonial} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Quote({ image, name, title, content, rating, link }: Testimonial) {
  return (
    <figure className="panel p-6 sm:p-7">
      <Rating rating={rating} />
      <blockquote className="mt-4 leading-relaxed">{content}</blockquote>
      <figcaption className="mt-6 flex items-center gap-3">
        <img src={image} alt="" width="44" height="44" loading="lazy" className="size-11 rounded-full" />
        <span className="min-w-0 text-[0.9375rem]">
          <span className="block font-semibold">{name}</span>
          <span className="block text-quiet">{title}</span>
        </span>
      </figcaption>
      <p className="mt-5 border-t border-line pt-4 text-sm text-quiet">
        On the{' '}
        <Link to={link.path} className="text-ink underline underline-offset-4 hover:text-live">
          {link.label}
        </Link>
      </p>
    </figure>
  );
}

function Rating({ rating }: { rating: number }) {
  return (
    <p role="img" aria-label={`${rating} out of 5 stars`} className="flex gap-1">
      {[1, 2, 3, 4, 5].map((star) => (
        <Star
          key={star}
          aria-hidden="true"
          className={clsx('size-4', star <= rating ? 'fill-current text-premium' : 'text-[var(--tick)]')}
        />
      ))}
    </p>
  );
}
