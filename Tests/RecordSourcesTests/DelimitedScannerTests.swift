import ImportTestSupport
import RecordSources
import TestSupport
import Testing

@Suite struct DelimitedScannerTests {
    @Test(arguments: [
        ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
        ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
        ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]),
        ("a,b\rc,d\ne,f\r\ng,h", [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]),
        ("a,\n,b\n,\n", [["a", ""], ["", "b"], ["", ""]]),
        ("\"a,\"\"b\"\"\",\"\"\n", [["a,\"b\"", ""]]),
        ("\"a\r\nb\",\"c\nd\"\r\n", [["a\r\nb", "c\nd"]]),
        ("a,b\n\n\nc,d\n\n", [["a", "b"], ["c", "d"]]),
        ("a\u{0},\u{0}b\n", [["a\u{0}", "\u{0}b"]]),
        ("6\" pipe,a \"b\" c\n", [["6\" pipe", "a \"b\" c"]]),
        ("\"a\" ,\"b\"\t\n", [["a", "b"]]),
        (" \"a\", b \n", [[" \"a\"", " b "]]),
        ("\"1\",\"x=\"\"\"\",y=\"\"\"\"\",\"2\"\n", [["1", "x=\"\",y=\"\"", "2"]]),
        ("A,\",\"\"\",C", [["A", ",\"", "C"]]),
        ("x\n", [["x"]]),
        ("x\n\ny\n", [["x"], [""], ["y"]]),
        (",", [["", ""]]),
        ("", []),
    ])
    func aTextIsReadAsRFC4180AndUsageHaveIt(text: String, records: [[String]]) throws {
        for chunkBytes in [1, 2, 3, 1000] {
            let reading = try DelimitedReading(text, options: .plain, chunkBytes: chunkBytes)
            #expect(reading.records == records)
            #expect(reading.codes.allSatisfy { $0 == nil })
        }
    }

    @Test func aTextAfterAClosingQuoteRejectsItsRecordAndNoOther() throws {
        let reading = try DelimitedReading("a,b\n\"c\"d,e\nf,g\n\"h\"\"i\"\"\",\"j\" k\nl,m\n", options: .plain)
        #expect(reading.codes == [nil, .strayQuote, nil, .strayQuote, nil])
        #expect(reading.sourceBytes[1] == Array("\"c\"d,e\n".utf8))
        #expect(reading.problems[1]?.offset == 3)
        #expect(reading.records[4] == ["l", "m"])
    }

    @Test func literalStrayQuotesCloseAFieldOnlyBeforeADelimiterOrLineEnd() throws {
        var options = DelimitedOptions.plain
        options.strayQuotes = .literal
        let reading = try DelimitedReading("\"a,\"b,c\"\n\"d \"e\" f\",g\n\"h\",\"i\"\n", options: options)
        #expect(reading.records == [["a,\"b,c"], ["d \"e\" f", "g"], ["h", "i"]])
    }

    @Test func aQuoteThatIsNeverClosedRejectsTheRestAndNamesTheLineWhereItOpens() throws {
        let reading = try DelimitedReading("a,b\nc,\"d\ne,f\ng,h\n", options: .plain)
        #expect(reading.codes == [nil, .unclosedQuote])
        #expect(reading.problems[1]?.line == 2)
        #expect(reading.problems[1]?.offset == 2)
        #expect(reading.sourceBytes[1] == Array("c,\"d\ne,f\ng,h\n".utf8))
    }

    @Test func aQuoteOpenForLongerThanTheLargestRecordIsAnErrorWithItsLine() throws {
        var options = DelimitedOptions.plain
        options.largestRecord = 4096
        let text = "a,b\nc,\"" + String(repeating: "x,\n", count: 400_000)
        let error = #expect(throws: SourceError.self) { try DelimitedReading(text, options: options, chunkBytes: 512) }
        #expect(error?.code == .unclosedQuote)
        #expect(error?.line == 2)
    }

    @Test func recordsWithAnotherNumberOfFieldsAreRejectedPaddedOrKept() throws {
        var options = DelimitedOptions.plain
        let text = "a,b,c\nd,e\nf,g,h,i\nj,k,l\n"
        let rejecting = try DelimitedReading(text, options: options)
        #expect(rejecting.codes == [nil, .tooFewFields, .tooManyFields, nil])
        #expect(rejecting.problems[1]?.fieldCount == 2)
        #expect(rejecting.problems[2]?.fieldCount == 4)
        options.allowsShortRecords = true
        #expect(try DelimitedReading(text, options: options).codes == [nil, nil, .tooManyFields, nil])
        options.allowsLongRecords = true
        let allowing = try DelimitedReading(text, options: options)
        #expect(allowing.codes == [nil, nil, nil, nil])
        #expect(allowing.records[2] == ["f", "g", "h", "i"])
    }

    @Test func aShortRecordHasMissingValuesInItsLastColumns() throws {
        var options = DelimitedOptions.plain
        options.allowsShortRecords = true
        var source = try DelimitedSource(
            ByteInput(bytes: Array("a,b,c\nd\n".utf8), name: "t"), options: options)
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        #expect(batch.field(1, of: 1).kind == .missing)
        #expect(batch.field(99, of: 0).kind == .missing)
        #expect(try !source.next(into: &batch))
    }

    @Test func aBackslashEscapesQuotesDelimitersAndLineEndsAndATokenForNULLStaysAsItIs() throws {
        var options = DelimitedOptions.plain
        options.escape = .some(UInt8(ascii: "\\"))
        let text = "\"a\\\"b\\\\\",c\\,d\n\\N,\"\\N\"\ne\\\nf,g\n\"x\"\"y\",z\n"
        for chunkBytes in 1...5 {
            let reading = try DelimitedReading(text, options: options, chunkBytes: chunkBytes)
            #expect(reading.records == [["a\"b\\", "c,d"], ["\\N", "N"], ["e\nf", "g"], ["x\"y", "z"]])
            #expect(reading.lines == [1, 2, 3, 5])
        }
    }

    @Test(arguments: ["||", "\t|\t", "§", "::"])
    func aDelimiterMayHaveSeveralBytes(delimiter: String) throws {
        var options = DelimitedOptions.plain
        options.delimiter = delimiter
        let text =
            ["a|b c", "\"c\(delimiter)d\"", "e"].joined(separator: delimiter) + "\n"
            + ["", "f", ""].joined(separator: delimiter)
        for chunkBytes in [1, 2, 5, 100] {
            let reading = try DelimitedReading(text, options: options, chunkBytes: chunkBytes)
            #expect(reading.records == [["a|b c", "c\(delimiter)d", "e"], ["", "f", ""]])
        }
    }

    @Test func commentLinesArePassedOverWhereACommentByteIsNamedQuotesInThemToo() throws {
        var options = DelimitedOptions.plain
        options.comment = UInt8(ascii: "#")
        let reading = try DelimitedReading("# it's \"so, it is\na,b\n#\nc,#d\n\"#e\",f\n# end", options: options)
        #expect(reading.records == [["a", "b"], ["c", "#d"], ["#e", "f"]])
        #expect(reading.lines == [2, 4, 5])
    }

    @Test func lineNumbersCountTheLinesInsideQuotedValues() throws {
        let reading = try DelimitedReading("a,\"b\nc\r\nd\re\"\nf,g\n\nh,i\n", options: .plain)
        #expect(reading.lines == [1, 5, 7])
        #expect(reading.offsets == [0, 13, 18])
    }

    @Test func aLineFeedMayBeTheOnlyLineEndAndACarriageReturnData() throws {
        var options = DelimitedOptions.plain
        options.newline = .lineFeed
        let reading = try DelimitedReading("a\rb,c\r\n\"d\",\"e\"\r\n\r\nf,g\r", options: options)
        #expect(reading.records == [["a\rb", "c"], ["d", "e"], ["f", "g\r"]])
        options.newline = .carriageReturn
        let old = try DelimitedReading("a\nb,c\rd,\"e\"\r", options: options)
        #expect(old.records == [["a\nb", "c"], ["d", "e"]])
    }

    @Test func spacesBeforeAQuoteAreLeftOutWhereThatIsAskedFor() throws {
        var options = DelimitedOptions.plain
        options.skipsSpaceBeforeQuote = true
        let reading = try DelimitedReading("\"a\",  \"b, c\", d\n", options: options)
        #expect(reading.records == [["a", "b, c", " d"]])
    }

    @Test(.long, arguments: [1, 7, 256 << 10])
    func aLineOfTwoMegabytesIsARecordLikeAnyOther(chunkBytes: Int) throws {
        let long = String(repeating: "x,\"\"\n", count: 400_000)
        let text = "a,b\n\"" + long + "\",c\nd,e\n"
        let reading = try DelimitedReading(text, options: .plain, chunkBytes: chunkBytes)
        #expect(reading.records.count == 3)
        #expect(reading.records[1] == [long.replacing("\"\"", with: "\""), "c"])
        #expect(reading.lines == [1, 2, 400_003])
    }

    @Test func aLineOfNothingButDelimitersDoesNotTakeMemoryWithoutEnd() throws {
        let text = "a,b\n" + String(repeating: ",", count: 2_000_000) + "\nc,d\n"
        let reading = try DelimitedReading(text, options: .plain)
        #expect(reading.codes == [nil, .tooManyFields, nil])
        #expect(reading.problems[1]?.fieldCount == 2_000_001)
        #expect(reading.records[1].count <= 65_536)
    }
}
