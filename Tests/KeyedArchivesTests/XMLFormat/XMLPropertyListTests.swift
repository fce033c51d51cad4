import KeyedArchives
import TestSupport
import Testing

@Suite struct XMLPropertyListTests {
    private func read(_ text: String) throws -> PropertyListValue {
        try XMLPropertyListReader.value(from: Array(text.utf8))
    }

    private func error(_ text: String) -> PropertyListError? {
        do {
            _ = try XMLPropertyListReader.value(from: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func readsEveryElement() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "PropertyList-1.0.dtd" [<!-- > -->]>
            <plist version="1.0"><!-- a comment -->
            <dict>
              <key>text</key><string>a &amp; b&#x20AC;<![CDATA[<c>]]> d</string>
              <key>number</key> <integer>-12</integer>
              <key>wide</key><integer>18446744073709551615</integer>
              <key>hexadecimal</key><integer>0x1F</integer>
              <key>real</key><real>1.5e3</real>
              <key>date</key><date>2001-01-02T00:00:01Z</date>
              <key>data</key><data>
                AQID
                BA==
              </data>
              <key>yes</key><true/> <key>no</key><false/>
              <key>list</key><array><string/><dict/><array/></array>
              <key>reference</key><dict><key>CF$UID</key><integer>7</integer></dict>
            </dict>
            </plist>
            """
        #expect(
            try read(text) == [
                "text": "a & b€<c> d", "number": -12, "wide": .init(UInt64.max), "hexadecimal": 31,
                "real": .real(1500),
                "date": .date(86_401), "data": .data([1, 2, 3, 4]), "yes": true, "no": false,
                "list": ["", .dictionary(PropertyListDictionary()), []], "reference": .uid(7),
            ])
    }

    @Test func readsTextInUTF16() throws {
        let text = "<plist><string>Grüße</string></plist>"
        let units = Array(text.utf16)
        #expect(
            try PropertyListReader.value(from: [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
                == "Grüße")
        #expect(
            try PropertyListReader.value(from: [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
                == "Grüße")
    }

    @Test(arguments: [
        ("<plist><dict><key>a</key></dict></plist>", PropertyListError.Code.keyWithoutValue),
        ("<plist><dict><string>a</string></dict></plist>", .keyNotText),
        ("<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", .keyRepeated),
        ("<plist><array></dict></plist>", .elementMismatched),
        ("<plist><string>a</integer></plist>", .elementMismatched),
        ("<plist><integer>one</integer></plist>", .numberInvalid),
        ("<plist><integer>--1</integer></plist>", .numberInvalid),
        ("<plist><real>x</real></plist>", .numberInvalid),
        ("<plist><date>yesterday</date></plist>", .dateInvalid),
        ("<plist><data>!</data></plist>", .dataInvalid),
        ("<plist><number>1</number></plist>", .elementUnknown),
        ("<plist><string>&nbsp;</string></plist>", .unexpectedCharacter),
        ("<plist>text</plist>", .unexpectedCharacter),
        ("<plist><true/><true/></plist>", .trailingContent),
        ("<plist><array><true/>", .unexpectedEnd),
        ("<plist></plist>", .notAPropertyList),
        ("<plist><string>never closed", .unexpectedEnd),
        ("<!DOCTYPE plist [", .unexpectedEnd),
    ])
    func mistakesAreNamed(text: String, code: PropertyListError.Code) {
        #expect(error(text)?.code == code)
    }

    @Test func errorsSayWhere() {
        let error = error("<plist>\n<dict>\n  <key>a</key><integer>x</integer>\n</dict></plist>")
        #expect(error?.place == .text(line: 3, column: 15))
        #expect(
            error?.description
                == "property list at 3:15: a number is not well-formed or out of range; correct it (\"x\")")
    }

    @Test(.long) func nestingBeyondTheLimitIsAnError() {
        let open = String(repeating: "<array>", count: 100_000)
        #expect(error("<plist>" + open)?.code == .tooDeep)
    }

    @Test func writtenValuesComeBack() throws {
        let value: PropertyListValue = [
            "text": "a & <b>\r\n\"c\" 世界", "numbers": [0, -1, .init(UInt64.max), .real(0.1), .real(.infinity)],
            "date": .date(757_382_400), "data": .data(Array(0..<200)), "none": [],
            "empty": .dictionary(PropertyListDictionary()), "yes": true, "reference": .uid(3),
        ]
        #expect(try read(XMLPropertyListWriter.text(for: value)) == value)
    }

    @Test func layoutIsThatOfApplesTools() throws {
        let text = try XMLPropertyListWriter.text(for: ["_XCCurrentVersionName": "News v4.xcdatamodel"])
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>_XCCurrentVersionName</key>
                \t<string>News v4.xcdatamodel</string>
                </dict>
                </plist>

                """)
    }

    @Test(arguments: [PropertyListValue.null, .malformedText([0xD800]), "a\u{1}b", .date(.nan)])
    func whatXMLCannotHoldIsAnError(value: PropertyListValue) {
        #expect(throws: PropertyListError.self) { try XMLPropertyListWriter.text(for: value) }
    }
}
