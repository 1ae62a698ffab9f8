/** A post that ships with the site. Times are ISO 8601 in UTC. */
export interface SamplePost {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
  readonly createdAt: string;
  readonly authorName: string;
}

const voiceAgents = `The phone rings at 9:40 pm. A water heater has let go, there is an inch of water in a basement, and the person holding the phone will call down a list until somebody picks up. Whoever answers gets the job. Until recently, answering meant staying up, paying a call center to read a script, or losing the work.

A **voice AI agent** is the newer way to answer. It is software that picks up the phone, listens, talks back in plain speech, and does something useful before it hangs up.

## What a voice agent actually does

Take away the jargon and there are four steps to every call.

1. **It listens.** Speech becomes text as the caller talks, with the hesitations and the barking dog.
2. **It works out what is needed.** A burst pipe, a quote for a panel upgrade and a question about opening hours call for three different conversations.
3. **It acts.** It looks at the calendar, offers two times, takes the address, or answers the question.
4. **It hands over.** You get a written note of who called, what they need and what was agreed.

The fourth step is the one people forget to ask about. A call that is answered well and noted badly still costs you a drive to the wrong house.

## Where it helps a home service business

The gain is rarely in the calls you already answer. It is in the others: the ones that come in while you are under a sink, on a roof, at dinner or asleep.

- **After hours.** Emergencies do not keep office hours. An agent that answers at night turns a call at 9:40 pm into a job at 8:00 am.
- **Two calls at once.** A person can talk to one customer at a time. The second caller hears a greeting instead of a busy tone.
- **The same five questions.** Do you serve my area? Do you do weekends? What does a visit cost? They deserve a quick, correct answer, and they do not need you.
- **The handoff.** When a caller is upset or the matter is unusual, a good agent says so and gets a person.

## Voicemail, call center, voice agent

Each has its place. This is how they compare on what a caller notices.

| | Voicemail | Call center | Voice agent |
|---|---|---|---|
| Picks up at night | Records a message | If you pay for the hours | Yes |
| Knows your calendar | No | Sometimes | Yes, when connected |
| Two callers at once | Yes, unheard | Depends on staffing | Yes |
| Judgment in odd cases | None | Good | Hands over to you |
| Note after the call | You write it | Varies | Written for you |

Look at the fourth row twice. A voice agent is not a person, and the good ones do not pretend to be. It should say what it is, stick to what it knows, and pass on the rest.

## How to try one without betting the business

You do not have to switch everything over on a Monday morning. A calmer way:

1. Forward **only the calls you miss** today: after hours, or after the fourth ring.
2. Write down the ten things callers ask most, with your answers. That page is what the agent learns from.
3. Decide what it may book without asking you, and what it may not. Start narrow.
4. Read the notes every evening for a week. Correct the answers that were off.
5. Widen it when you stop finding things to correct.

### What to listen for

Call it yourself, from a noisy place, and be a little difficult. Interrupt it. Change your mind about the time. Ask something it cannot know. You will learn more in three minutes than from any brochure.

If it stays polite, admits what it does not know and gets the address right, it is ready for your customers. If it does not, it is not, and you have lost nothing but three minutes.`;

const communication2025 = `Most home service businesses do not have a communication problem. They have five small ones: the missed call, the estimate nobody followed up, the reminder nobody sent, the review nobody answered, and the website that says to call a number that goes to voicemail. Each costs a little. Together they decide who gets the next job.

In 2025 each of these has a practical AI helper. None of them is magic, and you do not need all of them. This is a plain guide to **which one to fix first**.

## Start with the leak, not the tool

Before you buy anything, spend one week with a notepad. Make a mark each time one of these happens:

- a call rings out or goes to voicemail
- somebody asks for a price and waits more than a day
- a customer is not home when you arrive
- you type the same answer for the third time
- a review, good or bad, gets no reply

Whatever has the most marks is where to start. It is often the phone, but not always. A business that runs on referrals may find that slow estimates cost it more.

## What AI is good at, and what it is not

| Task | A good fit? | Why |
|---|---|---|
| Answering calls and booking visits | Yes | The questions repeat and the calendar has the answer |
| First draft of an estimate email | Yes | You know the price, it knows how to write it up |
| Appointment reminders | Yes | It is only a matter of not forgetting |
| Replying to reviews | As a draft | Your name is under it, so you read it first |
| Diagnosing a fault over the phone | No | Somebody has to look at it |
| Calming a customer you let down | No | That call is yours |

The pattern is simple. AI does well where the work is **frequent, similar and easy to check**. It does badly where the work is rare, delicate or needs a look under the house.

## Four changes that pay for their trouble

### 1. Answer every call

Let a voice assistant take the calls that nobody else can. It should greet callers with your company's name, answer the common questions, book into your real calendar and leave you a note. Anything unusual goes to a person.

### 2. Send the estimate the same day

Dictate what you saw while you are still in the van. An assistant turns it into a clear estimate with your prices and your terms. You read it, correct it and send it before the next job.

### 3. Say when you are coming

A message the evening before and another when you set off. Customers remember the company that told them, and you drive to fewer empty houses.

### 4. Make the website answer too

Your website is the one employee who talks to everybody. It should load quickly on a phone, say what you do and where, and put the number where a thumb can reach it.

## Keep the person in it

Customers do not mind a machine that helps. They mind a machine that **pretends**, and one they cannot get past. Three rules keep you on the right side:

1. Say that it is an assistant when it answers.
2. Always leave a short way to a human being.
3. Read what goes out in your name until you trust it, and look in now and then afterwards.

## A plan for the first month

- **Week one:** keep the notepad. Find the leak.
- **Week two:** choose one helper for that leak and set it up on a small part of the work.
- **Week three:** read everything it does. Correct it daily.
- **Week four:** count the marks again. Keep it if there are fewer, drop it if there are not.

Then start over with the next leak. It is not exciting. It is how a business gets easier to reach, one answered call at a time.`;

/**
 * The blog as long as nobody has written a post (spec §3), newest first.
 */
export const samplePosts: readonly SamplePost[] = [
  {
    slug: 'voice-ai-agents-in-customer-service',
    title: 'Voice AI agents in customer service',
    excerpt:
      'What a voice agent does on a call, where it helps a home service business, and a calm way to try one without betting the business on it.',
    content: voiceAgents,
    createdAt: '2025-03-01T15:00:00.000Z',
    authorName: 'Fieldlight AI',
  },
  {
    slug: 'optimizing-customer-communication-with-ai-in-2025',
    title: 'Optimizing customer communication with AI in 2025',
    excerpt:
      'Missed calls, slow estimates, forgotten reminders: a plain guide to which leak to fix first, and what to leave to people.',
    content: communication2025,
    createdAt: '2025-01-15T15:00:00.000Z',
    authorName: 'Fieldlight AI',
  },
];
