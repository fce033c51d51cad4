import Foundation
import Testing

@testable import RecordSources
@testable import StoreImport

/// Encodings that nothing names are guessed from the bytes, and the guess is named.
@Suite struct GuessedEncodingTests {
    private static func bytes(_ text: String, _ encoding: TextEncoding) throws -> [UInt8] {
        // What a decoder makes of each byte or pair tells how its text is written.
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                bytes.append(UInt8(scalar.value))
            } else {
                bytes += try #require(table(encoding)[scalar])
            }
        }
        return bytes
    }

    private static func table(_ encoding: TextEncoding) -> [Unicode.Scalar: [UInt8]] {
        switch encoding {
        case .windows1251:
            Dictionary(
                uniqueKeysWithValues: (0x410...0x44F as ClosedRange<UInt32>).compactMap { code in
                    Unicode.Scalar(code).map { ($0, [UInt8(code - 0x410 + 0xC0)]) }
                })
        case .gb18030: ["中": [0xD6, 0xD0], "国": [0xB9, 0xFA], "人": [0xC8, 0xCB], "名": [0xC3, 0xFB]]
        default: ["é": [0xE9], "ü": [0xFC], "à": [0xE0], "ß": [0xDF], "ô": [0xF4]]
        }
    }

    @Test(arguments: [
        (TextEncoding.windows1251, "name,size\nпривет мир,1\nМосква,2\n"), (.gb18030, "name,size\n中国,1\n中国人名,2\n"),
        (.windows1252, "name,size\nCafé à côté,1\nGrüße,2\n"),
        // Three letters in a row, as in Cyrillic words, beside words of two scripts.
        (.windows1252, "name,size\nMüller,1\nßüé,2\nStraße,3\n"),
        (.windows1251, "name,size\nМосква,1\nTест,2\nПетр I-й,3\n"),
    ])
    func textsOfOtherScriptsAreReadAndTheReportAndTheDraftNameTheGuess(
        encoding: TextEncoding, text: String
    ) throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "name", "size:Integer 32"))
        let path = try fixture.fixture.write("", as: "things.csv")
        let bytes = try Self.bytes(text.replacing("côté", with: "côte"), encoding)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let report = try fixture.fixture.run([path], .entity(EntityRequest(entity: "Thing")))
        #expect(report.sources[0].guessedEncoding == encoding.name && !report.hasFindings)
        #expect(report.description.contains("read as \(encoding.name), a guess"))
        let names = text.replacing("côté", with: "côte").split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: ",").first.map(String.init)
        }
        #expect(try fixture.fixture.rows("SELECT ZNAME FROM ZTHING ORDER BY ZSIZE") == names)
        #expect(try fixture.draft([path]).yaml.contains("\(encoding.name) (a guess"))
    }

    @Test func anEmptyTextInQuotesThatBreaksARuleIsToldHowToBecomeNoValue() throws {
        let fixture = try ImportFixture(
            entities:
                "<entity name='Thing'><attribute name='name' attributeType='String' minValueString='1' optional='YES'/></entity>"
        )
        let source = try fixture.write("\"name\"\n\"\"\n\"a\"\n", as: "things.csv")
        let report = try fixture.run([source], .entity(EntityRequest(entity: "Thing")))
        #expect(report.rejected == 1 && report.firstRejections[0].contains("with \"emptyAsNull: always\" in a mapping"))
    }

    @Test func anUnknownEntityIsToldWithThoseThatThereAre() throws {
        let fixture = try ImportFixture(entities: DraftFixture.entity("Thing", "name"))
        let source = try fixture.write("name\na\n", as: "things.csv")
        let error = #expect(throws: ImportPlanError.self) {
            try fixture.run([source], .entity(EntityRequest(entity: "Thng")))
        }
        #expect(error?.description == "the model has no entity \"Thng\"; did you mean 'Thing'? There are: Thing")
    }
}
