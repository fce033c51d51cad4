import CommandLineParsing
import Foundation
import Testing

@testable import ferry

/// The command reference is made from the option tables. `FERRY_RECORD=1` writes it anew, and fails to say so.
@Suite struct CommandReferenceTests {
    private static let note =
        "<!-- Made by \"FERRY_RECORD=1 swift test --filter FerryTests\" from the option tables; do not edit. -->"

    @Test func theReferenceIsThatOfTheOptionTables() throws {
        let pages = CommandTable.ferry.referencePages(note: Self.note)
        try RecordedFolder("docs/reference").check(pages)
    }
}
