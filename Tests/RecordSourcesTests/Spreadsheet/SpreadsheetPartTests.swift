import Testing

@testable import RecordSources

/// Formats of cells, dates, and the texts that cells share.
@Suite struct SpreadsheetPartTests {
    @Test(arguments: [
        ("General", CellForm.number), ("0.00E+00", .number), ("#,##0.00", .number), ("@", .number),
        ("dd.mm.yyyy", .day),
        ("[$-409]d-mmm-yy;@", .day), ("mmm yy", .day), ("m/d/yyyy h:mm", .moment), ("h:mm AM/PM", .time),
        ("mm:ss", .time),
        ("[h]:mm:ss", .number), ("0 \"days\"", .number), ("0\\d", .number), ("[Red]0.0;[Blue]d", .number),
        ("[Red]General", .number), ("[$-40C]General;[Blue]d", .number), ("[DBNum1][Cyan]General", .number),
        ("[Red]d", .day), ("yyyy\"年\"m\"月\"d\"日\"", .day), ("ggge\"年\"", .day),
    ])
    func formatsSayWhatNumbersAre(_ format: String, _ form: CellForm) {
        #expect(CellForm(format: format) == form)
    }

    /// Dates as a spreadsheet shows them.
    @Test(arguments: [
        (1.0, CellForm.day, false, "1900-01-01"), (59, .day, false, "1900-02-28"), (60, .day, false, "1900-02-29"),
        (61, .day, false, "1900-03-01"), (45_413, .day, false, "2024-05-01"),
        (45_413.5, .day, false, "2024-05-01T12:00:00"),
        (45_413, .moment, false, "2024-05-01T00:00:00"), (0.75, .time, false, "18:00:00"),
        (45_413.999_999_999, .moment, false, "2024-05-02T00:00:00"), (0, .day, true, "1904-01-01"),
        (43_951, .day, true, "2024-05-01"), (2_958_465, .day, false, "9999-12-31"),
        (45_413.000_011_574_1, .moment, false, "2024-05-01T00:00:01"), (0.000_005, .time, false, "00:00:00.432"),
    ])
    func serialNumbersAreDates(_ serial: Double, _ form: CellForm, _ isFrom1904: Bool, _ text: String) {
        #expect(SerialDate(isFrom1904: isFrom1904).text(serial, form) == text)
    }

    @Test(arguments: [-1.0, 0, 2_958_466, .nan, .infinity]) func otherNumbersAreNoDates(_ serial: Double) {
        #expect(SerialDate(isFrom1904: false).text(serial, .day) == nil)
    }

    /// With any limits, each text comes back by its number, in any order.
    @Test(arguments: [(0, 1, 1, 1), (5, 2, 2, 3), (40, 3, 1, 7), (100, 7, 3, 16), (1 << 20, 64, 64, 1 << 16)])
    func sharedTextsComeBack(_ memory: Int, _ perPlace: Int, _ pages: Int, _ pageBytes: Int) throws {
        var texts = SharedTexts(
            limits: .init(memory: memory, textsPerPlace: perPlace, pages: pages, pageBytes: pageBytes))
        let all = (0..<50).map { number in Array(String(repeating: "\(number),", count: number * 7 % 12).utf8) }
        for text in all { try texts.append(text) }
        try texts.finish()
        for number in all.indices.reversed() + [3, 49, 0, 24] {
            var found: [UInt8] = [0xFF]
            #expect(try texts.appendText(number, to: &found))
            #expect(found == [0xFF] + all[number])
        }
        var nothing: [UInt8] = []
        #expect(try !texts.appendText(50, to: &nothing) && !texts.appendText(-1, to: &nothing))
    }
}
