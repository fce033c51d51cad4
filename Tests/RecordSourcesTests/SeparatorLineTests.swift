import ImportTestSupport
import RecordSources
import Testing

/// The line that spreadsheets write for themselves before the header: `sep=;`.
@Suite struct SeparatorLineTests {
    @Test(arguments: ["sep=;\r\n", "\"sep=;\"\n", "SEP=;\r", "\u{FEFF}sep=;\n"])
    func itNamesTheDelimiterAndIsNoRecord(line: String) throws {
        let reading = try DelimitedReading(bytes(line + "a;b,c\r\n1;2,5\r\n3;4\r\n"))
        #expect(reading.columns == ["a", "b,c"])
        #expect(reading.records == [["1", "2,5"], ["3", "4"]])
    }

    @Test func aDelimiterThatIsNamedOtherwiseHolds() throws {
        var options = DelimitedOptions()
        options.delimiter = ","
        #expect(try DelimitedReading(bytes("sep=;\na,b\n1;2,3\n"), options: options).records == [["1;2", "3"]])
    }

    @Test(arguments: ["sep=;;\n1\n", "step=1\nx\n", "sep=\nx\n", "sep=ö\nx\n"])
    func otherFirstLinesAreWhatTheyWere(text: String) throws {
        var options = DelimitedOptions()
        options.hasHeader = true
        options.delimiter = ","
        let line = text.split(separator: "\n")[0]
        #expect(try DelimitedReading(bytes(text), options: options).columns == [String(line)])
    }

    private func bytes(_ text: String) -> ByteInput { ByteInput(bytes: Array(text.utf8), name: "s.csv") }
}
