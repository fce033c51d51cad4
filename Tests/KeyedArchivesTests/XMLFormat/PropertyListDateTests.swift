import KeyedArchives
import TestSupport
import Testing

@Suite struct PropertyListDateTests {
    /// Checked against Python's datetime.
    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0.0), ("2000-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", -978_307_200),
        ("2024-02-29T12:30:15Z", 730_902_615), ("1900-03-01T00:00:00Z", -3_182_198_400),
        ("0001-01-01T00:00:00Z", -63_113_904_000), ("9999-12-31T23:59:59Z", 252_423_993_599),
    ])
    func textAndSecondsAgree(text: String, seconds: Double) {
        #expect(PropertyListDate.seconds(of: text) == seconds)
        #expect(PropertyListDate.text(of: seconds) == text)
    }

    @Test func fractionsAreRoundedDown() {
        #expect(PropertyListDate.text(of: -0.5) == "2000-12-31T23:59:59Z")
        #expect(PropertyListDate.text(of: 0.9) == "2001-01-01T00:00:00Z")
    }

    @Test(arguments: ["", "2001-01-01", "2001-13-01T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:00:00", "x"])
    func otherTextIsNoDate(text: String) {
        #expect(PropertyListDate.seconds(of: text) == nil)
    }

    @Test(.long) func everyDayOfFourHundredYearsComesBack() {
        for day in stride(from: -73_000, to: 73_000, by: 1) {
            let seconds = Double(day * 86_400 + 3661)
            #expect(PropertyListDate.text(of: seconds).flatMap { PropertyListDate.seconds(of: $0) } == seconds)
        }
    }
}
