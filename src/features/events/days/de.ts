import type { WellKnownDays } from './texts.ts'

/** The well-known days of the calendar in German. */
export const daysInGerman: WellKnownDays = {
  'world-water-day': {
    name: 'Weltwassertag',
    description: 'Tag der Vereinten Nationen für sauberes Wasser.',
    suggested_content:
      'Zeigen Sie, wo Ihr Betrieb Wasser spart, und fragen Sie nach einer weiteren Idee.',
  },
  'international-day-of-zero-waste': {
    name: 'Internationaler Tag der Müllvermeidung',
    description: 'Tag der Vereinten Nationen für weniger Abfall.',
    suggested_content:
      'Zeigen Sie, was ein Team in diesem Jahr nicht mehr wegwirft, und wie es das geschafft hat.',
  },
  'earth-day': {
    name: 'Tag der Erde',
    description: 'Seit 1970 ein weltweiter Tag für die Umwelt.',
    suggested_content:
      'Nennen Sie eine Zahl zu Ihrem eigenen Fußabdruck und eine Sache, die sich deshalb ändert.',
  },
  'world-bee-day': {
    name: 'Weltbienentag',
    description: 'Tag der Vereinten Nationen für Bienen und andere Bestäuber.',
    suggested_content:
      'Ein kurzer Text über Balkone und Gärten, die Bienen nähren, mit Fotos aus der Belegschaft.',
  },
  'world-environment-day': {
    name: 'Weltumwelttag',
    description: 'Der wichtigste Umwelttag der Vereinten Nationen.',
    suggested_content:
      'Laden Sie jemanden ein zu erzählen, wie Arbeitsweg, Essen oder Reisen mit weniger Schaden gelingen.',
  },
  'world-oceans-day': {
    name: 'Welttag der Ozeane',
    description: 'Tag der Vereinten Nationen für die Meere.',
    suggested_content:
      'Berichten Sie von einer Aufräumaktion zum Mitmachen oder von einer Wahl, die Plastik aus dem Wasser hält.',
  },
  'international-day-of-peace': {
    name: 'Internationaler Tag des Friedens',
    description: 'Tag der Vereinten Nationen für den Frieden.',
    suggested_content:
      'Ein ruhiger Text darüber, wie Ihre Teams Streit beilegen, mit einem Rat von jemandem, dem das gut gelingt.',
  },
  'world-food-day': {
    name: 'Welternährungstag',
    description: 'Tag der Welternährungsorganisation gegen den Hunger.',
    suggested_content:
      'Sammeln Sie Rezepte für die Mittagspause und nennen Sie eine Tafel, die Spenden annimmt.',
  },
  'world-aids-day': {
    name: 'Welt-AIDS-Tag',
    description: 'Tag der Solidarität mit Menschen, die mit HIV leben.',
    suggested_content:
      'Sachliche Auskünfte zu Tests und Behandlung und wo man vertraulich fragen kann.',
  },
  'giving-tuesday': {
    name: 'Giving Tuesday',
    description: 'Der Tag des Gebens nach Thanksgiving.',
    suggested_content:
      'Danken Sie allen, die sich ehrenamtlich engagiert haben, und machen Sie Spenden mit einem Link leicht.',
  },
  'international-volunteer-day': {
    name: 'Internationaler Tag des Ehrenamts',
    description: 'Tag der Vereinten Nationen für freiwillige Arbeit.',
    suggested_content:
      'Stellen Sie jemanden mit einem Ehrenamt vor: was zu tun ist und wie man anfängt.',
  },
  'human-rights-day': {
    name: 'Tag der Menschenrechte',
    description: 'Jahrestag der Allgemeinen Erklärung der Menschenrechte von 1948.',
    suggested_content:
      'Wählen Sie einen Artikel der Erklärung und sagen Sie, was er für Ihre Arbeit bedeutet.',
  },
  'data-privacy-day': {
    name: 'Europäischer Datenschutztag',
    description: 'Tag des Schutzes persönlicher Daten.',
    suggested_content: 'Eine Gewohnheit, die Kundendaten schützt, und wen man im Zweifel fragt.',
  },
  'safer-internet-day': {
    name: 'Safer Internet Day',
    description: 'Tag für ein sicheres Internet.',
    suggested_content: 'Zeigen Sie eine echte Phishing-Mail, die aufgefallen ist, und woran.',
  },
  'employee-appreciation-day': {
    name: 'Tag der Wertschätzung der Mitarbeitenden',
    description: 'Ein Tag des Dankes an die Belegschaft.',
    suggested_content: 'Drucken Sie Dank untereinander: mit Namen und für etwas Bestimmtes.',
  },
  'world-backup-day': {
    name: 'Tag der Datensicherung',
    description: 'Eine Erinnerung, Daten zu sichern, einen Tag vor dem 1. April.',
    suggested_content:
      'Drei Zeilen: was für alle gesichert wird und was jede Person selbst sichern muss.',
  },
  'international-workers-day': {
    name: 'Tag der Arbeit',
    description: 'Feiertag am 1. Mai in vielen Ländern.',
    suggested_content:
      'Wer heute frei hat, und ein Rückblick, wie sich die Arbeit in Ihrem Feld verändert hat.',
  },
  'world-password-day': {
    name: 'Welt-Passwort-Tag',
    description: 'Der erste Donnerstag im Mai gilt guten Passwörtern.',
    suggested_content:
      'Wie man den Passwortmanager der Firma in zwei Minuten einrichtet und warum Passkeys noch besser sind.',
  },
  'world-youth-skills-day': {
    name: 'Welttag für die Qualifikation junger Menschen',
    description: 'Tag der Vereinten Nationen für die Ausbildung der Jugend.',
    suggested_content:
      'Auszubildende und Praktikanten erzählen, was sie gelernt haben und was Sie von ihnen gelernt haben.',
  },
  'system-administrator-appreciation-day': {
    name: 'Tag der Systemadministration',
    description: 'Dank an alle, die Rechner und Netze am Laufen halten.',
    suggested_content:
      'Zeigen Sie, was in diesem Jahr im Hintergrund geschah, ohne dass es jemand bemerkte.',
  },
  'labor-day': {
    name: 'Labor Day',
    description: 'Feiertag der Arbeit in den USA und in Kanada.',
    suggested_content: 'Wer heute frei hat, und allen anderen einen guten Start in den Herbst.',
  },
  'programmers-day': {
    name: 'Tag des Programmierers',
    description: 'Der 256. Tag des Jahres.',
    suggested_content:
      'Die kleinste Korrektur mit der größten Wirkung, so erzählt, dass alle sie verstehen.',
  },
  'world-teachers-day': {
    name: 'Weltlehrertag',
    description: 'Tag der UNESCO zu Ehren der Lehrkräfte.',
    suggested_content:
      'Wer hat Ihnen Ihren Beruf beigebracht? Kurze Danksagungen an Mentorinnen und Ausbilder im Haus.',
  },
  'customer-experience-day': {
    name: 'Tag der Kundenerfahrung',
    description: 'Ein Tag für alle, die mit Kundinnen und Kunden arbeiten.',
    suggested_content:
      'Drucken Sie die Worte einer Kundin oder eines Kunden und die Namen derer, die sie verdient haben.',
  },
  'orthodox-christmas': {
    name: 'Orthodoxes Weihnachtsfest',
    description: 'Weihnachten nach dem julianischen Kalender.',
    suggested_content:
      'Wünschen Sie allen, die feiern, ein schönes Fest, und lassen Sie jemanden davon erzählen.',
  },
  'lunar-new-year': {
    name: 'Mondneujahr',
    description: 'Das Neujahrsfest in weiten Teilen Ostasiens.',
    suggested_content:
      'Nennen Sie das Tier des Jahres und fragen Sie, was heute Abend auf den Tisch kommt.',
  },
  'saint-patricks-day': {
    name: 'St. Patrick’s Day',
    description: 'Der Nationalfeiertag Irlands.',
    suggested_content:
      'Ein Lied, ein Buch oder ein Rezept aus Irland ist besser als ein grüner Hut.',
  },
  'international-nowruz-day': {
    name: 'Internationaler Nouruz-Tag',
    description: 'Neujahr und Frühlingsanfang in Iran und Zentralasien.',
    suggested_content:
      'Erklären Sie den Tisch der sieben Dinge, den Haft-Sin, mit einem Foto aus der Belegschaft.',
  },
  'eid-al-fitr': {
    name: 'Eid al-Fitr (Zuckerfest)',
    description: 'Das Fest am Ende des Ramadan; der Tag hängt vom Mond ab.',
    suggested_content:
      'Wünschen Sie Eid Mubarak und erinnern Sie daran, Termine für Feiernde leicht zu halten.',
  },
  'good-friday': {
    name: 'Karfreitag',
    description: 'Der Freitag vor Ostern.',
    suggested_content:
      'Welche Standorte am langen Wochenende geschlossen sind und wer Bereitschaft hat.',
  },
  'easter-sunday': {
    name: 'Ostersonntag',
    description: 'Das Osterfest der westlichen Kirchen.',
    suggested_content: 'Ostergrüße und eine Fotorunde: Wie verbringen alle das lange Wochenende?',
  },
  passover: {
    name: 'Pessach',
    description: 'Das jüdische Fest des Auszugs aus Ägypten; es beginnt am Abend zuvor.',
    suggested_content:
      'Wünschen Sie ein frohes Pessach und vermeiden Sie in dieser Woche gemeinsame Essen.',
  },
  'orthodox-easter': {
    name: 'Orthodoxes Osterfest',
    description: 'Das Osterfest der orthodoxen Kirchen.',
    suggested_content:
      'Ostergrüße an alle, die heute feiern; sagen Sie, welche Standorte geschlossen sind.',
  },
  'world-book-and-copyright-day': {
    name: 'Welttag des Buches',
    description: 'Tag der UNESCO für Bücher und ihre Urheber.',
    suggested_content: 'Drei Leute, drei Bücher, je ein Satz.',
  },
  'eid-al-adha': {
    name: 'Eid al-Adha (Opferfest)',
    description: 'Das höchste islamische Fest; der Tag hängt vom Mond ab.',
    suggested_content:
      'Wünschen Sie Eid Mubarak und lassen Sie jemanden erzählen, wie die Familie feiert.',
  },
  'rosh-hashanah': {
    name: 'Rosch ha-Schana',
    description: 'Das jüdische Neujahrsfest; es beginnt am Abend zuvor.',
    suggested_content:
      'Wünschen Sie ein gutes und süßes Jahr, Schana tova, und halten Sie die Woche von großen Fristen frei.',
  },
  'mid-autumn-festival': {
    name: 'Mondfest',
    description: 'Das Fest der Ernte und des Vollmonds in Ostasien.',
    suggested_content: 'Mondkuchen für die Küche und eine kurze Geschichte vom Mond.',
  },
  'yom-kippur': {
    name: 'Jom Kippur',
    description: 'Der Versöhnungstag, der höchste jüdische Feiertag.',
    suggested_content: 'Ein stiller Hinweis genügt: Viele fasten heute und sind nicht da.',
  },
  diwali: {
    name: 'Diwali',
    description: 'Das Lichterfest in Indien und vielen anderen Ländern.',
    suggested_content: 'Bitten Sie um Fotos der Lichter und teilen Sie ein Rezept für Süßes.',
  },
  'day-of-the-dead': {
    name: 'Tag der Toten',
    description: 'Mexikanischer Tag der Erinnerung an Verstorbene.',
    suggested_content:
      'Erklären Sie die Ofrenda, den Altar der Familie, mit einem Bild und einer Erinnerung.',
  },
  hanukkah: {
    name: 'Chanukka',
    description: 'Das jüdische Lichterfest; es beginnt am Abend zuvor.',
    suggested_content:
      'Wünschen Sie ein frohes Chanukka und geben Sie ein Rezept für Krapfen oder Latkes dazu.',
  },
  'christmas-day': {
    name: 'Erster Weihnachtstag',
    description: 'Das Weihnachtsfest.',
    suggested_content: 'Grüße des Teams, und wer über die Feiertage erreichbar ist.',
  },
  kwanzaa: {
    name: 'Kwanzaa',
    description: 'Das afroamerikanische Fest vom 26. Dezember bis zum 1. Januar.',
    suggested_content:
      'Nennen Sie die sieben Prinzipien und fragen Sie, welches jemandem wichtig ist.',
  },
  'world-braille-day': {
    name: 'Welt-Braille-Tag',
    description: 'Geburtstag von Louis Braille.',
    suggested_content:
      'Prüfen Sie eine eigene Seite mit einem Screenreader und erzählen Sie, was Sie gefunden und behoben haben.',
  },
  'martin-luther-king-jr-day': {
    name: 'Martin-Luther-King-Tag',
    description: 'Feiertag in den USA zu Ehren des Bürgerrechtlers.',
    suggested_content:
      'Ein Gedanke von King in seinem Zusammenhang, und eine Gelegenheit, heute zu helfen.',
  },
  'international-day-of-women-and-girls-in-science': {
    name: 'Internationaler Tag der Frauen und Mädchen in der Wissenschaft',
    description: 'Tag der Vereinten Nationen für gleiche Chancen in der Forschung.',
    suggested_content:
      'Stellen Sie Frauen in technischen Berufen vor: woran sie arbeiten und wie sie dazu kamen.',
  },
  'international-mother-language-day': {
    name: 'Internationaler Tag der Muttersprache',
    description: 'Tag der UNESCO für die Vielfalt der Sprachen.',
    suggested_content: 'Wie viele Sprachen spricht Ihr Team? Sammeln Sie in jeder einen Gruß.',
  },
  'international-womens-day': {
    name: 'Internationaler Frauentag',
    description: 'Tag für die Rechte der Frauen.',
    suggested_content:
      'Mehr als Blumen: eine Zahl zur Gleichstellung im Unternehmen und was dafür getan wird.',
  },
  'international-day-for-the-elimination-of-racial-discrimination': {
    name: 'Internationaler Tag gegen Rassismus',
    description: 'Tag der Vereinten Nationen gegen rassistische Diskriminierung.',
    suggested_content:
      'Lassen Sie ein Buch, einen Film oder einen Vortrag empfehlen, der den Blick verändert hat.',
  },
  'world-down-syndrome-day': {
    name: 'Welt-Down-Syndrom-Tag',
    description: 'Der 21. März steht für das dreifache Chromosom 21.',
    suggested_content:
      'Bunte Socken sind willkommen; besser noch nennen Sie einen Betrieb, der gut inkludiert.',
  },
  'international-transgender-day-of-visibility': {
    name: 'Internationaler Tag der trans Sichtbarkeit',
    description: 'Tag der Anerkennung von trans Menschen.',
    suggested_content:
      'Erklären Sie, wie man Namen und Pronomen in Ihren Werkzeugen einstellt und wo es Hilfe gibt.',
  },
  'world-autism-awareness-day': {
    name: 'Welt-Autismus-Tag',
    description: 'Tag der Vereinten Nationen für Menschen mit Autismus.',
    suggested_content:
      'Was hilft neurodivergenten Menschen in Besprechungen? Drei Ratschläge von Leuten, die es wissen.',
  },
  'international-day-against-homophobia-biphobia-and-transphobia': {
    name: 'Internationaler Tag gegen Homo-, Bi- und Transfeindlichkeit',
    description: 'Seit 1990 gilt Homosexualität der WHO nicht mehr als Krankheit.',
    suggested_content: 'Stellen Sie Ihr queeres Netzwerk vor und wie man mitmacht.',
  },
  'global-accessibility-awareness-day': {
    name: 'Welttag der digitalen Barrierefreiheit',
    description: 'Der dritte Donnerstag im Mai gilt barrierefreier Technik.',
    suggested_content:
      'Legen Sie die Maus eine Stunde weg, bedienen Sie Ihr Produkt mit der Tastatur und berichten Sie.',
  },
  'world-day-for-cultural-diversity': {
    name: 'Welttag der kulturellen Vielfalt',
    description: 'Tag der Vereinten Nationen für Dialog und Entwicklung.',
    suggested_content:
      'Eine Karte der Orte, aus denen Ihre Leute kommen, und ein Gericht von jedem.',
  },
  juneteenth: {
    name: 'Juneteenth',
    description: 'Feiertag in den USA zum Ende der Sklaverei.',
    suggested_content: 'Eine kurze Geschichte des Tages und eine Veranstaltung in der Nähe.',
  },
  'world-refugee-day': {
    name: 'Weltflüchtlingstag',
    description: 'Tag der Vereinten Nationen für geflüchtete Menschen.',
    suggested_content:
      'Erzählen Sie den Weg einer Person, wenn sie das möchte, oder von einer Gruppe, die Sie unterstützen.',
  },
  'pride-day': {
    name: 'Pride Day',
    description: 'Jahrestag der Stonewall-Aufstände von 1969.',
    suggested_content: 'Wo gehen Ihre Leute in diesem Jahr mit, und wer spricht für Ihr Netzwerk?',
  },
  'international-day-of-the-worlds-indigenous-peoples': {
    name: 'Internationaler Tag der indigenen Völker',
    description: 'Tag der Vereinten Nationen für die Rechte indigener Völker.',
    suggested_content:
      'Auf wessen Land stehen Ihre Standorte? Lernen und drucken Sie die richtigen Namen.',
  },
  'international-equal-pay-day': {
    name: 'Internationaler Tag der Lohngleichheit',
    description: 'Tag der Vereinten Nationen für gleichen Lohn.',
    suggested_content:
      'Erklären Sie in einfachen Worten, wie Gehälter festgelegt und geprüft werden.',
  },
  'international-day-of-sign-languages': {
    name: 'Internationaler Tag der Gebärdensprachen',
    description: 'Tag der Vereinten Nationen für Gebärdensprachen.',
    suggested_content: 'Zeigen Sie drei Gebärden in Bildern: hallo, danke, gut gemacht.',
  },
  'international-day-of-older-persons': {
    name: 'Internationaler Tag der älteren Menschen',
    description: 'Tag der Vereinten Nationen für ältere Menschen.',
    suggested_content:
      'Bringen Sie eine neue und eine langjährige Person zusammen und drucken Sie ihre Fragen aneinander.',
  },
  'ada-lovelace-day': {
    name: 'Ada-Lovelace-Tag',
    description: 'Tag für Frauen in Naturwissenschaft und Technik.',
    suggested_content:
      'Wessen Arbeit hat Sie angeregt? Sammeln Sie Namen, die bekannter sein sollten.',
  },
  'international-mens-day': {
    name: 'Internationaler Männertag',
    description: 'Tag für die Gesundheit von Männern und Jungen.',
    suggested_content: 'Männergesundheit in drei Tatsachen und ein Bericht über eine Elternzeit.',
  },
  'international-day-of-persons-with-disabilities': {
    name: 'Internationaler Tag der Menschen mit Behinderungen',
    description: 'Tag der Vereinten Nationen für Teilhabe.',
    suggested_content:
      'Wie man eine Anpassung des Arbeitsplatzes beantragt und was andere erhalten haben.',
  },
  'new-years-day': {
    name: 'Neujahr',
    description: 'Der erste Tag des Kalenderjahres.',
    suggested_content:
      'Ein Ausblick: drei Dinge zum Freuen in diesem Jahr, aus drei Ecken des Unternehmens.',
  },
  'valentines-day': {
    name: 'Valentinstag',
    description: 'Ein Tag, um Menschen, die man mag, Freundliches zu sagen.',
    suggested_content:
      'Machen Sie daraus einen Tag des Dankes: Alle schicken eine Zeile Anerkennung, und Sie drucken sie.',
  },
  'shrove-tuesday': {
    name: 'Fastnachtsdienstag',
    description: 'Der letzte Tag vor der Fastenzeit.',
    suggested_content:
      'Ein Rezept für Pfannkuchen aus jedem Land, in dem Sie einen Standort haben.',
  },
  'mothering-sunday': {
    name: 'Mothering Sunday',
    description: 'Muttertag in Großbritannien und Irland, drei Wochen vor Ostern.',
    suggested_content:
      'Ein gutes Wort für alle, die für andere Mutter sind, und für alle, denen der Tag schwerfällt.',
  },
  'april-fools-day': {
    name: 'Erster April',
    description: 'In vielen Ländern ein Tag der harmlosen Scherze.',
    suggested_content:
      'Eine harmlose Erfindung, die niemand für eine Regel hält, mit der Wahrheit in der letzten Zeile.',
  },
  'mothers-day': {
    name: 'Muttertag',
    description:
      'Der zweite Sonntag im Mai, in weiten Teilen Europas, in Nordamerika und Australien.',
    suggested_content: 'Fragen Sie nach dem besten Rat der Mutter.',
  },
  'fathers-day': {
    name: 'Vatertag (international)',
    description:
      'Der dritte Sonntag im Juni, in Nordamerika, Großbritannien und vielen anderen Ländern.',
    suggested_content: 'Fragen Sie, was Ihre Leute von ihrem Vater gelernt haben, oder als Vater.',
  },
  'thanksgiving-in-canada': {
    name: 'Thanksgiving in Kanada',
    description: 'Das Erntedankfest in Kanada.',
    suggested_content: 'Eine Zeile Dank von jedem Team in Kanada, und wer es heute vertritt.',
  },
  halloween: {
    name: 'Halloween',
    description: 'Der Abend vor Allerheiligen.',
    suggested_content:
      'Ein Wettbewerb um Kostüme oder Kürbisse mit Fotos und einer Abstimmung in der nächsten Ausgabe.',
  },
  'thanksgiving-in-the-united-states': {
    name: 'Thanksgiving in den USA',
    description: 'Das Erntedankfest in den USA.',
    suggested_content: 'Eine Zeile Dank von jedem Team in den USA, und wer es bis Montag vertritt.',
  },
  'christmas-eve': {
    name: 'Heiligabend',
    description: 'Der Tag vor Weihnachten.',
    suggested_content:
      'Wann heute die Büros schließen, und Dank an alle, die den Betrieb am Laufen halten.',
  },
  'new-years-eve': {
    name: 'Silvester',
    description: 'Der letzte Tag des Kalenderjahres.',
    suggested_content: 'Das Jahr in zehn Zahlen und ein Dank, der Namen nennt.',
  },
  'international-day-of-happiness': {
    name: 'Internationaler Tag des Glücks',
    description: 'Tag der Vereinten Nationen für das Wohlergehen.',
    suggested_content:
      'Fragen Sie: Was hat Sie in diesem Monat bei der Arbeit zum Lächeln gebracht? Drucken Sie die kurzen Antworten.',
  },
  'world-health-day': {
    name: 'Weltgesundheitstag',
    description: 'Gründungstag der Weltgesundheitsorganisation.',
    suggested_content: 'Was das Unternehmen für die Gesundheit bietet, in einer Liste mit Links.',
  },
  'world-day-for-safety-and-health-at-work': {
    name: 'Welttag für Sicherheit und Gesundheit bei der Arbeit',
    description: 'Tag der Internationalen Arbeitsorganisation.',
    suggested_content:
      'Ein Beinahe-Unfall, aus dem Sie gelernt haben, und wem man den nächsten meldet.',
  },
  'world-bicycle-day': {
    name: 'Weltfahrradtag',
    description: 'Tag der Vereinten Nationen für das Fahrrad.',
    suggested_content:
      'Wo man parkt und duscht, wie Dienstradleasing geht, und eine Lieblingsstrecke.',
  },
  'world-blood-donor-day': {
    name: 'Weltblutspendetag',
    description: 'Dank an alle, die Blut spenden.',
    suggested_content:
      'Wo man in der Nähe jedes Standorts Blut spendet und ob es als Arbeitszeit gilt.',
  },
  'international-day-of-yoga': {
    name: 'Internationaler Yoga-Tag',
    description: 'Tag der Vereinten Nationen für Yoga.',
    suggested_content: 'Fünf Minuten Dehnen am Schreibtisch, gezeigt von jemandem aus dem Haus.',
  },
  'world-suicide-prevention-day': {
    name: 'Welttag der Suizidprävention',
    description: 'Tag der Vorbeugung und der Hilfe.',
    suggested_content:
      'Kurz und warm: Es ist in Ordnung, um Hilfe zu bitten, und hier gibt es sie, zu jeder Stunde.',
  },
  'world-first-aid-day': {
    name: 'Welt-Erste-Hilfe-Tag',
    description: 'Tag des Roten Kreuzes für Erste Hilfe.',
    suggested_content:
      'Nennen Sie die Ersthelfenden auf jeder Etage und den Termin des nächsten Kurses.',
  },
  'world-heart-day': {
    name: 'Weltherztag',
    description: 'Tag der Weltherzorganisation für gesunde Herzen.',
    suggested_content: 'Treppen, Spaziergänge und wo die Defibrillatoren hängen.',
  },
  'world-sight-day': {
    name: 'Welttag des Sehens',
    description: 'Der zweite Donnerstag im Oktober gilt dem Augenlicht.',
    suggested_content:
      'Die 20-20-20-Regel für Bildschirme und wie man zu Sehtest oder Bildschirmbrille kommt.',
  },
  'world-mental-health-day': {
    name: 'Welttag der seelischen Gesundheit',
    description: 'Tag der Aufklärung über psychische Gesundheit.',
    suggested_content:
      'Mit wem man vertraulich sprechen kann, und wie eine Führungskraft ihr Gleichgewicht hält.',
  },
  'world-kindness-day': {
    name: 'Welttag der Freundlichkeit',
    description: 'Ein Tag für freundliche Gesten.',
    suggested_content:
      'Eine Seite des Dankes: Alle nennen eine Freundlichkeit, die ihnen bei der Arbeit begegnet ist.',
  },
  'world-diabetes-day': {
    name: 'Weltdiabetestag',
    description: 'Tag der Vereinten Nationen zu Diabetes.',
    suggested_content:
      'Auskünfte Ihres betriebsärztlichen Dienstes und was Betroffene anderen mitteilen möchten.',
  },
}
