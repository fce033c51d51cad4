import Testing
import UnicodeText

@Suite struct CalendarNamesTests {
    @Test func namesOfALanguage() throws {
        let german = try #require(CalendarNames(locale: "de"))
        #expect(
            german.names(.months) == [
                "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
                "November", "Dezember",
            ])
        #expect(german.names(.weekdays).first == "Sonntag")
        #expect(try #require(CalendarNames(locale: "de_AT")).names(.months).first == "Jänner")
        #expect(try #require(CalendarNames(locale: "ru")).names(.months).first == "января")
        #expect(try #require(CalendarNames(locale: "ru")).names(.standaloneMonths).first == "январь")
        #expect(try #require(CalendarNames(locale: "ja")).names(.dayPeriods) == ["午前", "午後"])
        // Buddhist years are usual there; the months asked for are those of the Gregorian calendar.
        #expect(try #require(CalendarNames(locale: "th_TH")).names(.shortMonths).count == 12)
    }

    @Test(arguments: ["", "xx", "klingon", "_DE", String(repeating: "d", count: 500)])
    func unknownLanguages(locale: String) {
        #expect(CalendarNames(locale: locale) == nil)
    }
}
