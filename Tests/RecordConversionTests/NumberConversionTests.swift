import Foundation
import RecordConversion
import TestSupport
import Testing

@Suite struct NumberConversionTests {
    private let integer16 = ValueConversion.integer(-32768...32767)
    private let integer64 = ValueConversion(.integer)

    @Test(arguments: [
        ("0", Converting.integer(0)), ("-32768", .integer(-32768)), ("32767", .integer(32767)), ("+7", .integer(7)),
        ("007", .integer(7)), ("-0", .integer(0)), (" 12 ", .integer(12)), ("5.00", .integer(5)),
        ("1e3", .integer(1000)),
        ("120e-1", .integer(12)), ("32768", .failure(.numberTooLarge)), ("-32769", .failure(.numberTooSmall)),
        ("99999999999999999999", .failure(.numberTooLarge)), ("-1e99999999999", .failure(.numberTooSmall)),
        ("1.5", .failure(.hasFraction)), ("1e-1", .failure(.hasFraction)), ("x", .failure(.notAnInteger)),
        ("1 2", .failure(.notAnInteger)), ("-", .failure(.notAnInteger)), ("1,000", .failure(.notAnInteger)),
        ("0x10", .failure(.notAnInteger)), ("１", .failure(.notAnInteger)), ("", .null), ("\\N", .null),
    ])
    func anIntegerOfSixteenBits(text: String, value: Converting) throws {
        #expect(try Converting(text, integer16) == value)
    }

    @Test(arguments: [
        ("9223372036854775807", Converting.integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .failure(.numberTooLarge)), ("-9223372036854775809", .failure(.numberTooSmall)),
        ("9223372036854775807.0", .integer(.max)), ("922337203685477580700000e-5", .integer(.max)),
        ("123456789012345678901234567890e-12", .failure(.hasFraction)),
        ("100000000000000000000000000000e-12", .integer(100_000_000_000_000_000)),
        ("18446744073709551617", .failure(.numberTooLarge)),
    ])
    func anIntegerOfSixtyFourBitsKeepsEveryDigit(text: String, value: Converting) throws {
        #expect(try Converting(text, integer64) == value)
    }

    @Test func codesAreCoreDatas() {
        #expect(ConversionFailure(.numberTooLarge).code == 1610)
        #expect(ConversionFailure(.numberTooSmall).code == 1620)
        #expect(ConversionFailure(.notADate).code == 1650)
        #expect(ConversionFailure(.notAURI).code == 1690)
        #expect(ConversionFailure(.notAnInteger).code == 1550)
        #expect(integer16.expectation == "an integer from -32768 to 32767")
    }

    @Test(arguments: [
        ("190638.06", "190638.06"), ("-007.50", "-7.5"), ("+5.00", "5"), ("0.10", "0.1"), (".5", "0.5"), ("5.", "5"),
        ("1.2e3", "1200"), ("12E-4", "0.0012"), ("-0.000", "0"), ("0", "0"), ("100", "100"), ("1e2", "100"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("12345678901234567890.123456789", "12345678901234567890.123456789"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
        ("123456789012345678901234567890.000000000000", "123456789012345678901234567890"),
        ("1e127", "1" + String(repeating: "0", count: 127)), ("10", "10"), ("-10.010", "-10.01"),
        ("1000000000000000000000.50", "1000000000000000000000.5"),
    ])
    func aDecimalKeepsItsDigitsInTheShortestPlainForm(text: String, digits: String) throws {
        #expect(try Converting(text, ValueConversion(.decimal)) == .text(digits))
    }

    @Test(arguments: [
        ("1e128", ConversionFailure.Reason.numberTooLarge), ("-1e500", .numberTooSmall), ("1e-129", .tooManyDigits),
        ("123456789012345678901234567890123456789", .tooManyDigits), ("abc", .notADecimal), ("1.2.3", .notADecimal),
        ("nan", .notADecimal), ("NaN1", .notADecimal), ("1e", .notADecimal), ("--1", .notADecimal), (".", .notADecimal),
    ])
    func whatADecimalDoesNotHoldIsRefusedNeverRounded(
        text: String, reason: ConversionFailure.Reason
    ) throws {
        #expect(try Converting(text, ValueConversion(.decimal)) == .failure(reason))
    }

    @Test func doublesAreCorrectlyRoundedLikeSwiftsOwn() throws {
        var random = RandomNumbers(seed: 7)
        for _ in 0..<500 {
            let digits = (0..<Int.random(in: 1...25, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
            let fraction = Int.random(in: 0...25, using: &random)
            let exponent = Int.random(in: -30...30, using: &random)
            let text = "\(digits).\(String(repeating: "3", count: fraction))1e\(exponent)"
            #expect(try Converting(text, ValueConversion(.double)) == .real(Double(text) ?? .nan))
            let float = Float(text) ?? .nan
            let expected = float.isFinite ? Converting.real(Double(float)) : .failure(.numberTooLarge)
            #expect(try Converting(text, ValueConversion(.float)) == expected)
        }
    }

    @Test(arguments: [
        ("-6.081689834590001", Converting.real(-6.081689834590001)), ("1e22", .real(1e22)), ("1e23", .real(1e23)),
        ("4.9e-324", .real(.leastNonzeroMagnitude)), ("1e-400", .real(0)),
        ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
        ("1e309", .failure(.numberTooLarge)), ("-1e309", .failure(.numberTooSmall)), ("nan", .failure(.notANumber)),
        ("Infinity", .failure(.notANumber)), ("0x1p3", .failure(.notANumber)), ("1,5", .failure(.notANumber)),
        ("9007199254740993", .real(9007199254740992)), ("", .null),
    ])
    func aDouble(text: String, value: Converting) throws {
        #expect(try Converting(text, ValueConversion(.double)) == value)
    }

    @Test func aFloatIsRoundedOnceAndRefusedWhereItIsInfinite() throws {
        #expect(try Converting("0.1", ValueConversion(.float)) == .real(Double(Float(0.1))))
        #expect(try Converting("1e39", ValueConversion(.float)) == .failure(.numberTooLarge))
        // Halfway between two floats but for the last digit: by way of a double it would be rounded to the even one.
        #expect(try Converting("16777217.000000001", ValueConversion(.float)) == .real(16777218))
    }

    @Test func otherSeparatorsAreToldAndGroupsOnlyStandBetweenDigits() throws {
        var german = ValueConversion(.decimal)
        german.numbers = NumberFormat(decimalSeparator: UInt8(ascii: ","), groupingSeparator: Array(".".utf8))
        #expect(try Converting("-1.234.567,890", german) == .text("-1234567.89"))
        #expect(try Converting("5,", german) == .text("5"))
        #expect(try Converting(".5", german) == .failure(.notADecimal))
        var spaced = ValueConversion.integer(0...100_000_000)
        spaced.numbers = NumberFormat(groupingSeparator: Array("'".utf8))
        #expect(try Converting("1'234'567", spaced) == .integer(1_234_567))
        #expect(try Converting("1'234'567.0", spaced) == .integer(1_234_567))
    }

    /// A file with the other convention must not be imported ten or a thousand times too large.
    @Test(
        arguments: [
            ("1,234", 1234), ("12,345,678", 12_345_678), ("123", 123), ("1234", 1234), ("12,34,567", 1_234_567),
            ("-1,234.0", -1234), ("+1,234", 1234), ("1,234e0", 1234), ("0", 0), ("0,500", nil), ("0,5", nil),
            ("12,34", nil), ("1,2,3", nil), ("1,234,5", nil), ("1234,567", nil), ("1,23,456,789", nil),
            ("123,45,678", nil),
            (",123", nil), ("1,234,", nil), ("1,,234", nil), ("1,234.00,0", nil), ("1,234.5,000", nil), ("-,123", nil),
        ] as [(String, Int64?)])
    func groupsHaveThreeDigitsOrTwoBeforeTheLastThree(text: String, number: Int64?) throws {
        var conversion = ValueConversion.integer(-100_000_000...100_000_000)
        // A no-break space at an end is white space, and taken away.
        let isAtEnd = text.hasPrefix(",") || text.hasSuffix(",")
        for separator in [",", "’", "\u{202F}"] + (isAtEnd ? [] : ["\u{A0}"]) {
            conversion.numbers = NumberFormat(groupingSeparator: Array(separator.utf8))
            let written = text.replacingOccurrences(of: ",", with: separator)
            let found = try Converting(written, conversion)
            if let number {
                #expect(found == .integer(number), "\(written)")
            } else {
                #expect(found == .failure(.notAnInteger), "\(written)")
            }
        }
    }

    @Test(arguments: [
        ("true", Converting.integer(1)), ("FALSE", .integer(0)), ("Yes", .integer(1)), ("n", .integer(0)),
        ("1", .integer(1)),
        ("0", .integer(0)), ("off", .integer(0)), ("maybe", .failure(.notABoolean)), ("2", .failure(.notABoolean)),
        ("truetruetrue", .failure(.notABoolean)), ("", .null),
    ])
    func aBooleanIsOneOfTheWords(text: String, value: Converting) throws {
        #expect(try Converting(text, ValueConversion(.boolean)) == value)
    }

    @Test func theWordsForYesAndNoCanBeGiven() throws {
        var conversion = ValueConversion(.boolean)
        conversion.booleans = BooleanWords(yes: ["Ja", "selbstverständlich"], no: ["Nein"])
        #expect(try Converting("ja", conversion) == .integer(1))
        #expect(try Converting("SELBSTVERSTäNDLICH", conversion) == .integer(1))
        #expect(try Converting("selbstverstÄndlich", conversion) == .integer(1))
        #expect(try Converting("nein", conversion) == .integer(0))
        #expect(try Converting("true", conversion) == .failure(.notABoolean))
    }

    /// Short and long words, letters of two and three bytes, and one that is made of two code points.
    @Test(arguments: [
        ("Ä", "ä"), ("ä", "Ä"), ("ДА", "да"), ("Évidemment", "éVIDEMMENT"), ("oui ḗ", "OUI Ḗ"), ("é", "E\u{301}"),
    ])
    func theCaseOfOtherLettersDoesNotMatterEither(word: String, text: String) throws {
        var conversion = ValueConversion(.boolean)
        conversion.booleans = BooleanWords(yes: [word], no: ["nein", "ö"])
        #expect(try Converting(text, conversion) == .integer(1))
        #expect(try Converting("Ö", conversion) == .integer(0))
        #expect(try Converting(text + "ü", conversion) == .failure(.notABoolean))
    }
}
