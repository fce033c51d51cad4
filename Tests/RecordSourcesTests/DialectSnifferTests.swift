import ImportTestSupport
import RecordSources
import Testing

@Suite struct DialectSnifferTests {
    private func dialect(_ text: String) throws -> DelimitedDialect {
        try DelimitedSource(ByteInput(bytes: Array(text.utf8), name: "t.csv")).dialect
    }

    @Test(arguments: [
        ("a;b;c\n1,5;2,5;3\n2,5;3,5;4\n", ";"),
        ("a\tb\n1,2\t3\n4\t5,6\n", "\t"),
        ("a|b\n1|x, y\n2|z\n", "|"),
        ("id,at\n1,2020-01-01T10:00:00\n2,2020-01-01T11:00:00\n", ","),
        ("1,2020-01-01T10:00:00\n2,2020-01-01T11:00:00\n", ","),
        ("\"a,b\";\"c,d\"\n\"e,f\";\"g,h\"\n", ";"),
        ("name\nAnna\nBob\n", ","),
        ("url\nhttps://example.com/1\nhttps://example.com/2\n", ","),
        ("at:name\n1:Anna\n2:Bob\n", ":"),
    ])
    func theDelimiterIsTheOneThatMakesEqualRecords(text: String, delimiter: String) throws {
        #expect(try dialect(text).delimiter == Array(delimiter.utf8))
    }

    @Test func anEscapeIsFoundWhereItMakesSenseOfTheQuotes() throws {
        #expect(try dialect("id,t\n1,\"a \\\"b\\\" c\"\n2,\"d\"\n").escape == UInt8(ascii: "\\"))
        #expect(try dialect("id,path\n1,\"C:\\dir\\\"\n2,\"D:\\\"\n").escape == nil)
    }

    @Test func apostrophesQuoteOnlyWhereEveryRecordShowsIt() throws {
        #expect(try dialect("'a','b'\n'1,2','3'\n").quote == UInt8(ascii: "'"))
        #expect(try dialect("name,city\n't Hooft,Utrecht\nO'Hara,'s-Hertogenbosch\n").quote == UInt8(ascii: "\""))
    }

    @Test(arguments: [
        // With apostrophes alone all records have three fields.
        ("id,name,note\n1,'a,b',x\n2,c,y\n3,d,'z,w'\n", "'"),
        ("id;name;note\n1;'a;b';say \"hi\"\n2;c;y\n3;d;e\n4;f;'z;w'\n", "'"),
        // Even without them, or not even with them, or they are apostrophes.
        ("id,name,note\n1,'a b',x\n2,c,y\n3,d,e\n4,f,g\n", "\""),
        ("id,name,note\n1,'a,b',x\n2,c,y\n3,d\n4,d,'z,w',v\n", "\""),
        ("id,name,note\n1,'t Hooft,x\n2,c,y,z\n3,'s-Hertogenbosch,d\n", "\""),
    ])
    func fewApostrophesQuoteOnlyWhereTheyAloneMakeEqualRecords(text: String, quote: String) throws {
        #expect(try dialect(text).quote == quote.utf8.first)
    }

    @Test(arguments: [
        ("id,name\n1,Ann\n2,Bob\n3,Cy\n", true),
        ("1,Ann\n2,Bob\n", false),
        ("name,mail\nAnn,a@b.example\n", true),
        ("Ann,a@b.example\nBob,b@b.example\n", false),
        ("AA,Alpha\nBB,Beta\nCC,Gamma\nDD,Delta\n", false),
        ("code,word\nBB,Beta\nCC,Gamma\nDD,Delta\n", true),
        ("a,b\n1,2\n3,4\n5,6\n", true),
        ("2020-01-01,x\n", false),
    ])
    func aHeaderIsToldFromData(text: String, hasHeader: Bool) throws {
        #expect(try dialect(text).hasHeader == hasHeader)
    }

    @Test func aFirstRecordLongerThanTheSampleIsSniffedAsFarAsItGoes() throws {
        let text = "a;\"" + String(repeating: "b, ", count: 200_000) + "\";c\n1;2;3\n"
        let reading = try DelimitedReading(text, options: .with { $0.hasHeader = false })
        #expect(reading.records.map(\.count) == [3, 3])
    }

    @Test func columnsOfAFileWithoutHeaderAreNumbered() throws {
        #expect(try DelimitedReading("1,2,3\n4,5,6\n").columns == ["column1", "column2", "column3"])
    }

    @Test func aFileOfAHeaderOnlyHasColumnsAndNoRecords() throws {
        let reading = try DelimitedReading("foo,\"b,ar\",baz")
        #expect(reading.columns == ["foo", "b,ar", "baz"])
        #expect(reading.records.isEmpty)
    }

    @Test func theDelimiterCannotBeALineEndNorTheQuoteAPartOfTheDelimiter() {
        for change: (inout DelimitedOptions) -> Void in [
            { $0.delimiter = "\n" }, { $0.delimiter = "" }, { $0.comment = 0xE9 },
            {
                $0.delimiter = "\""; $0.quote = .some(UInt8(ascii: "\""))
            },
        ] {
            #expect(throws: SourceError.self) { try DelimitedReading("a,b\n", options: .with(change)) }
        }
    }

    @Test func aMissingFileIsAnErrorThatNamesItAndTheReason() {
        let error = #expect(throws: SourceError.self) { try ByteInput(path: "/nowhere/at all.csv") }
        #expect(
            error?.description == "/nowhere/at all.csv: cannot be opened: No such file or directory; "
                + "check the path and its permissions")
    }
}
