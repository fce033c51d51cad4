import ManagedObjectModels
import SQLiteAccess
import Testing

@testable import RecordConversion
@testable import RecordSources

@Suite struct ConversionSettingsTests {
    private func settings(_ change: (inout ConversionSettings) -> Void) -> ConversionSettings {
        var settings = ConversionSettings()
        change(&settings)
        return settings
    }

    @Test func withoutSettingsAConversionIsThatOfTheType() throws {
        for type in AttributeType.allCases {
            guard let plain = ValueConversion(attributeType: type) else { continue }
            #expect(try ValueConversion(to: type, settings: ConversionSettings()) == plain, "\(type)")
        }
    }

    @Test(arguments: [
        ("iso8601", DateConversion.Form.iso8601), ("seconds1970", .secondsSince1970),
        ("milliseconds1970", .millisecondsSince1970), ("microseconds1970", .microsecondsSince1970),
        ("seconds2001", .secondsSince2001), ("milliseconds2001", .millisecondsSince2001),
        ("spreadsheet", .spreadsheetDays), ("julian", .julianDays),
    ])
    func everyNamedDateFormIsKnown(name: String, form: DateConversion.Form) throws {
        #expect(try ValueConversion(to: .date, settings: settings { $0.date = name }).date.form == form)
    }

    @Test func aPatternWithZoneAndLanguageReadsDates() throws {
        let settings = settings {
            $0.date = "d. MMMM yyyy"
            $0.timeZone = "+01:00"
            $0.locale = "de"
        }
        let date = try ValueConversion(to: .date, settings: settings).date
        // 2001-01-02T23:00:00Z, the day's midnight an hour east of Greenwich.
        #expect(try date.seconds(Array("3. Januar 2001".utf8).span) == 169_200)
    }

    @Test func numbersWithCommasAreRewritten() throws {
        let settings = settings {
            $0.decimalSeparator = ","
            $0.groupingSeparator = "."
        }
        let numbers = try ValueConversion(to: .decimal, settings: settings).numbers
        #expect(numbers.plain(Array("1.234,5".utf8).span) == Array("1234.5".utf8))
    }

    @Test func wordsOfOnesOwnReplaceTheUsualOnes() throws {
        let words = try ValueConversion(to: .boolean, settings: settings { $0.yes = ["Ja", "0"] }).booleans
        #expect(try words.boolean(Array("JA".utf8).span))
        #expect(try words.boolean(Array("0".utf8).span))
        #expect(try words.boolean(Array("no".utf8).span) == false)
        #expect(throws: ConversionFailure.self) { try words.boolean(Array("true".utf8).span) }
    }

    @Test func textsThatStandForNullAreNull() throws {
        let conversion = try ValueConversion(to: .date, settings: settings { $0.nullTokens = ["n/a", "-"] })
        var batch = RecordBatch()
        for text in ["n/a", "-", " - "] {
            let range = batch.appendRange(Array(text.utf8))
            #expect(
                try conversion.convert(RecordField(.text, start: range.start, length: range.count), in: &batch) == .null
            )
        }
        let range = batch.appendRange(Array("\\N".utf8))
        #expect(throws: ConversionFailure.self) {
            try conversion.convert(RecordField(.text, start: range.start, length: range.count), in: &batch)
        }
    }

    @Test func trimmingAndNullAreForAllTypes() throws {
        let settings = settings {
            $0.trims = true
            $0.emptyAsNull = "always"
            $0.nullTokens = ["NA", "-"]
        }
        let conversion = try ValueConversion(to: .string, settings: settings)
        #expect(conversion.trims)
        #expect(conversion.emptyText == .always)
        #expect(conversion.nullTokens == [Array("NA".utf8), Array("-".utf8)])
    }

    @Test(arguments: [(nil, "data/in"), ("photos", "data/in/photos"), ("/photos", "/photos")])
    func filesAreSoughtBesideTheSource(folder: String?, path: String) throws {
        let settings = settings {
            $0.binary = "file"
            $0.folder = folder
        }
        let conversion = try ValueConversion(to: .binaryData, settings: settings, sourceFolder: "data/in")
        #expect(conversion.binary == .file(BinaryFolder(path: path)))
    }

    @Test func whatIsInheritedAppliesOnlyWhereItFits() throws {
        let inherited = settings {
            $0.date = "dd.MM.yyyy"
            $0.decimalSeparator = ","
            $0.trims = true
        }
        #expect(try ValueConversion(to: .string, settings: ConversionSettings(), inherited: inherited).trims)
        let number = try ValueConversion(to: .double, settings: settings { $0.trims = false }, inherited: inherited)
        #expect(number.numbers.decimalSeparator == UInt8(ascii: ","))
        #expect(!number.trims)
        let date = try ValueConversion(to: .date, settings: settings { $0.date = "iso8601" }, inherited: inherited)
        #expect(date.date.form == .iso8601)
    }

    static let misfits: [(AttributeType, @Sendable (inout ConversionSettings) -> Void, String)] = [
        (.string, { $0.date = "iso8601" }, "\"date\" is for dates, and the attribute is of the type String; remove it"),
        (
            .integer16, { $0.yes = ["ja"] },
            "\"yes\" is for Booleans, and the attribute is of the type Integer 16; remove it"
        ),
        (
            .date, { $0.decimalSeparator = "," },
            "\"decimalSeparator\" is for numbers, and the attribute is of the type Date; remove it"
        ),
        (.uuid, { $0.folder = "a" }, "\"folder\" is for binary data, and the attribute is of the type UUID; remove it"),
        (
            .date, { $0.date = "second1970" },
            "the date format 'second1970' cannot be used: the letter 'o' has no meaning that can be read; "
                + "quote it if it is text; did you mean \"seconds1970\"?"
        ),
        (
            .date, { $0.timeZone = "Berlin" },
            "the time zone \"Berlin\" is not known; write a name such as Europe/Berlin, or an offset such as +01:00"
        ),
        (.binaryData, { $0.binary = "hexx" }, "\"hexx\" is not a form of binary data; did you mean \"hex\"?"),
        (
            .binaryData,
            {
                $0.binary = "base64"; $0.folder = "a"
            },
            "\"folder\" is for values that name files; add \"binary: file\", or remove it"
        ),
        (
            .double, { $0.decimalSeparator = "::" },
            "\"decimalSeparator\" must be one ASCII character that is not a digit or sign, and is \"::\""
        ),
        (
            .double, { $0.groupingSeparator = "." },
            "decimalSeparator and groupingSeparator are both \".\"; they must differ"
        ),
        (.boolean, { $0.yes = [] }, "\"yes\" has no words; name at least one, or remove it"),
        (
            .boolean,
            {
                $0.yes = ["X"]; $0.no = ["x"]
            }, "\"x\" stands for yes and for no; remove one"
        ),
        (
            .string, { $0.emptyAsNull = "sometimes" },
            "\"sometimes\" is not a rule for empty strings; write always, unless-quoted or never"
        ),
        (.composite, { _ in }, "text cannot be converted to the type Composite; leave the attribute out"),
    ]

    @Test(arguments: misfits.indices) func whatCannotBeMeantIsRefused(index: Int) throws {
        let (type, change, message) = Self.misfits[index]
        let error = #expect(throws: ConversionSettingsError.self) {
            try ValueConversion(to: type, settings: settings(change))
        }
        #expect(error?.description == message)
    }
}
