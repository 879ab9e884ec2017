/**
 * Words that top every published list of leaked passwords; a password that is one of them, or one of
 * them with digits and signs around it, is refused.
 */
export const guessable: ReadonlySet<string> = new Set(
  `password passwort passw0rd p@ssword p@ssw0rd pa55word qwerty qwertyui qwertyuiop qwertz qwertzuiop
azerty azertyuiop asdfghjkl asdfasdf asdfghjk zxcvbnm zxcvbnm1 1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4
qazwsxedc qwer1234 abcd1234 abcdefgh abcdefg1 a1b2c3d4 aa123456 letmein letmein1 welcome welcome1
iloveyou sunshine princess football baseball basketball superman batman trustno1 dragon monkey
master shadow michael jennifer jordan hunter harley ranger buster thomas robert soccer hockey killer
george charlie andrew michelle jessica pepper daniel access joshua maggie starwars silver william
dallas yankees amanda orange biteme freedom computer internet whatever nicole heather summer winter
spring autumn monday secret secret1 changeme changeit default admin administrator root toor guest
user test testtest testing temp temporary login logmein hello hello123 helloworld flower lovely
ashley bailey passport passcode starlight pokemon nintendo liverpool chelsea arsenal manchester
google facebook linkedin github company office corporate employee manager newsletter tidings
12345678 123456789 1234567890 0123456789 87654321 987654321 11223344 12341234 123123123 123321123
11111111 00000000 88888888 12121212 10203040 31415926 147258369 789456123 741852963 159753456
aaaaaaaa correcthorsebatterystaple`.split(/\s+/),
)
