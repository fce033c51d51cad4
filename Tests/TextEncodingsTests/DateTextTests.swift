import Testing
import TextEncodings

/// Dates of ISO 8601 with the fraction that they need, of seconds since 2001.
@Suite struct DateTextTests {
    private static func text(_ seconds: Double) -> String? {
        var bytes: [UInt8] = []
        return bytes.append(date: seconds) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    @Test(arguments: [
        (-63_145_526_400, "0000-01-01T00:00:00Z"), (-63_140_428_800, "0000-02-29T00:00:00Z"),
        (-63_140_342_400, "0000-03-01T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
        (0, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.75Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    ])
    func theFirstAndTheLastYearsOfFourDigitsHaveAText(seconds: Double, expected: String) {
        #expect(Self.text(seconds) == expected)
    }

    @Test func theDistantPastOfFoundationHasAText() {
        #expect(Self.text(-63_114_076_800) == "0000-12-30T00:00:00Z")
    }

    @Test(arguments: [-63_145_526_401, 252_423_993_600, Double.infinity, -.infinity, .nan])
    func datesBeyondHaveNone(seconds: Double) {
        #expect(Self.text(seconds) == nil)
    }

    @Test(arguments: [
        (0.5, "2001-01-01T00:00:00.5Z"), (738_892_800.123456, "2024-06-01T00:00:00.123456Z"),
        (-1.5, "2000-12-31T23:59:58.5Z"), (0.000_000_1, "2001-01-01T00:00:00.0000001Z"),
    ])
    func asManyDigitsStandBehindThePointAsAreReadAsTheSameDate(seconds: Double, expected: String) {
        #expect(Self.text(seconds) == expected)
    }

    @Test func nothingIsWrittenOfADateThatNoDigitsAreReadAs() {
        // Below 1e-17 of a second, the last digit that is tried.
        #expect(Self.text(1e-20) == nil)
        var bytes: [UInt8] = [1]
        #expect(!bytes.append(date: -1e-20) && bytes == [1])
    }

    @Test(arguments: [(0.25, 250), (0.123456, 123), (0.0, 0), (0.0009, 0), (0.9999, 999)])
    func thousandthsAreRoundedDown(seconds: Double, thousandths: Int) {
        #expect(SecondFraction(of: seconds, above: 0)?.thousandths == thousandths)
    }

    @Test(arguments: [-0.5, 1.5, Double.nan, .infinity])
    func whatIsNotAboveTheWholeSecondHasNoFraction(seconds: Double) {
        #expect(SecondFraction(of: seconds, above: 0) == nil)
    }

    @Test(
        arguments: [(0, 1, "0"), (7, 3, "007"), (.max, 1, "18446744073709551615"), (1000, 2, "1000")]
            as [(UInt64, Int, String)])
    func digitsHaveZerosBeforeThemUpToAWidth(value: UInt64, width: Int, expected: String) {
        var bytes: [UInt8] = []
        bytes.append(digits: value, atLeast: width)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
}
