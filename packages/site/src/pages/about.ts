import { company } from '../company.ts';
import { offers } from '../offers.ts';

const { betty, customAi, websiteRedesign } = offers;

export const about = {
  title: 'About us',
  description: `${company.name}, founded in ${company.founded}: how we work, the nine principles we hold to, and what we think a machine should leave to a person.`,
  heading: 'We keep the porch light on.',
  lead: `${company.name} was founded in ${company.founded} for people who miss calls because they are busy doing the work. You are under a sink, on a roof, halfway through a panel. The phone rings anyway.`,
  offer:
    'So we build what answers it: Betty on the phone, custom AI for the jobs behind the desk, websites that bring the next call. And we help teams hire the engineers who build such things.',
  approach: {
    heading: 'One house, three visits',
    steps: [
      {
        title: 'Understand',
        text: 'We walk around it first. Which calls get away, at what hour, and what does each of them need from you?',
      },
      {
        title: 'Customize',
        text: 'Then we fit the tool to the house: your hours, your area, your calendar, the way you say hello.',
      },
      {
        title: 'Implement',
        text: 'We connect it, call it ourselves from somewhere noisy, and switch it on. From then on, someone is home.',
      },
    ],
  },
  principles: {
    heading: 'Our nine guiding principles',
    list: [
      {
        title: 'Someone answers.',
        text: `It is what we sell, so it is how we behave. Emails to us are answered ${offers.emailReply}.`,
      },
      {
        title: 'Look for the leak first.',
        text: 'A missed call, a slow estimate, a site that fails on a phone. Find what costs you work, then name the tool.',
      },
      {
        title: 'You know the trade.',
        text: 'Nobody has to teach a roofer about roofs. The tool learns how you work, not the other way around.',
      },
      {
        title: 'Say it in the driveway.',
        text: 'What we cannot explain standing next to your van, we have not understood yet.',
      },
      {
        title: 'Name the price.',
        text: `A figure you learn afterwards is a trap. A website redesign is ${websiteRedesign.price}, ${websiteRedesign.payment}.`,
      },
      {
        title: 'Try it before you buy it.',
        text: 'Website redesigns are sold that way. And Betty has a number you can call tonight. Interrupt her. Change your mind about the time.',
      },
      {
        title: 'Weeks, not someday.',
        text: `Betty takes ${betty.timeline}, custom AI ${customAi.timeline}, a website redesign ${websiteRedesign.timeline}.`,
      },
      {
        title: 'Ask only what the job needs.',
        text: 'A name, an address, what is broken. A tool should ask for that, and stop.',
      },
      {
        title: 'Stay after the lamp is lit.',
        text: `A redesign comes with ${websiteRedesign.includes[4]}. Going live is only when it first meets your customers.`,
      },
    ],
  },
  philosophy: {
    heading: 'Our AI philosophy: the machine waits up, the person decides.',
    sides: [
      {
        heading: 'What we let a machine do',
        list: [
          'Pick up at 9:40 pm.',
          'Offer the hour that is free.',
          'Draft the estimate and the reply.',
          'Say that it does not know.',
        ],
      },
      {
        heading: 'What stays with a person',
        list: [
          'Look at the fault.',
          'Set the price.',
          'Read what goes out in your name.',
          'Call the customer you let down.',
        ],
      },
    ],
    text: 'And it says what it is. A machine that passes for a person is a trick, and the caller with water in the basement has no time for tricks. It should tell them they are talking to an assistant, do the part it is good at, and always leave a short way to a human being.',
  },
  closing: {
    heading: 'Come by. Someone is home.',
    text: `Tell us what gets away from you today. Emails are answered ${offers.emailReply}.`,
    action: 'Contact Us',
    otherAction: 'See our services',
  },
} as const;
