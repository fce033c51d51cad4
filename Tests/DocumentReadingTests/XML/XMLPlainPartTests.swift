import Testing
import TestSupport

@testable import DocumentReading

/// What is read without libxml2 against the same read by libxml2 alone.
@Suite
struct XMLPlainPartTests {
    /// What a reader says of a document: each event with its place, and the error at last.
    private struct Account: Equatable {
        var events: [String] = []
        var error: DocumentError?

        /// - Parameter hasReturns: whether there are carriage returns, which libxml2 does not count as it should in texts.
        init(_ stream: consuming XMLEventStream, hasReturns: Bool) {
            do throws(DocumentError) {
                while let event = try stream.next() {
                    let isUncertain = hasReturns && event == .text
                    var line = "\(event) \(stream.depth) \(isUncertain ? 0 : stream.line) \(stream.byteOffset ?? -1) "
                    switch event {
                    case .text: line += "\(stream.text) \(stream.isBlankText)"
                    case .startElement:
                        line += "\(stream.location) \(stream.name) \(stream.isEmptyElement) \(stream.attributes)"
                    case .endElement: line += "\(stream.location) \(stream.name)"
                    }
                    events.append(line)
                }
            } catch {
                self.error = error
            }
        }
    }

    /// Reads pieces of some sizes; the last size is that of all that follow.
    private static func pieces(
        of document: [UInt8], _ sizes: [Int]
    ) -> (inout [UInt8]) throws(DocumentError) -> Int {
        var rest = document[...]
        var sizes = sizes[...]
        return { (buffer: inout [UInt8]) throws(DocumentError) -> Int in
            let size = sizes.count > 1 ? sizes.removeFirst() : sizes.first ?? 1
            let piece = rest.prefix(min(size, buffer.count))
            buffer.replaceSubrange(..<piece.count, with: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }

    private static func accounts(
        of document: [UInt8], in sizes: [Int], _ limits: XMLReadingLimits = XMLReadingLimits()
    ) -> (plain: Account, library: Account) {
        let hasReturns = document.contains(0x0D)
        return (
            Account(
                XMLEventStream(name: "test.xml", limits: limits, reading: pieces(of: document, sizes)),
                hasReturns: hasReturns),
            Account(
                XMLEventStream(byLibraryAlone: "test.xml", limits: limits, reading: pieces(of: document, sizes)),
                hasReturns: hasReturns)
        )
    }

    @Test(arguments: RandomNumbers.seeds(4000))
    func randomDocumentsAreWhatTheyAreToLibxml2Alone(seed: Int) throws {
        var document = RandomXMLDocument(seed: UInt64(seed))
        let bytes = document.make()
        var limits = XMLReadingLimits()
        switch Int.random(in: 0..<8, using: &document.random) {
        case 0: limits.maximumDepth = Int.random(in: 1...4, using: &document.random)
        case 1: limits.maximumAttributeCount = Int.random(in: 0...2, using: &document.random)
        case 2: limits.maximumTextLength = Int.random(in: 3...20, using: &document.random)
        default: break
        }
        let whole = Self.accounts(of: bytes, in: [bytes.count + 1], limits)
        #expect(whole.plain.events == whole.library.events)
        #expect(whole.plain.error?.code == whole.library.error?.code)
        #expect(whole.plain.error?.sentence == whole.library.error?.sentence)
        #expect(whole.plain.error?.location == whole.library.error?.location)
        // libxml2 shows its place before a text that it does not take.
        if whole.plain.error?.sentence.contains("]]>") == false {
            #expect(whole.plain.error?.excerpt == whole.library.error?.excerpt)
        }
        // Texts are limited where they are cut: what comes at once is as it is.
        if limits.maximumTextLength < 100 { return }
        let sizes = [150] + (0..<5).map { _ in Int.random(in: 1...40, using: &document.random) }
        let cut = Self.accounts(of: bytes, in: sizes, limits)
        #expect(cut.plain.events == whole.library.events)
        #expect(cut.plain.error?.code == whole.library.error?.code)
        #expect(cut.plain.error?.sentence == whole.library.error?.sentence)
        #expect(cut.plain.error?.location.line == whole.library.error?.location.line)
    }

    /// The errors of a document that is plain up to them, with their places and excerpts.
    @Test(
        arguments: [
            ("</b>", "Opening and ending tag mismatch: c line 3 and b", 22, "    <c>some text here</b>"),
            ("&#0;", "xmlParseCharRef: invalid xmlChar value 0", 22, "    <c>some text here&#0;"),
            ("<d e='1' e='2'/>", "Attribute e redefined", 33, "    <c>some text here<d e='1' e='2'/>"),
        ])
    func anErrorBehindAPlainPartHasItsPlaceAndItsLine(end: String, message: String, column: Int, line: String) throws {
        let document = Array("<a>\n  <b x='1'/>\n    <c>some text here\(end)</c>\n</a>\n".utf8)
        let (plain, library) = Self.accounts(of: document, in: [20, 7])
        #expect(plain.error?.sentence.contains(message) == true)
        #expect(plain.error?.location.line == 3)
        #expect(plain.error?.location.column == library.error?.location.column)
        #expect(plain.error?.excerpt?.text.hasPrefix(line) == true)
        #expect(plain.error?.location.column.map { $0 >= column } == true)
        #expect(plain.events == library.events)
    }

    @Test
    func aTokenThatIsLongerThanWhatIsHeldIsReadByLibxml2() {
        let value = String(repeating: "z123 ", count: 500_000)
        let document = Array("<a><b c='\(value)'/><d>\(value)</d></a>".utf8)
        let (plain, library) = Self.accounts(of: document, in: [65_536])
        #expect(plain.error == nil)
        #expect(plain.events.count == 7)
        #expect(plain == library)
    }

    @Test
    func textsOfAnyLengthPassInPieces() {
        let text = String(repeating: "aé\n ", count: 1_000_000)
        let document = Array("<a><d>\(text)</d>&amp;<e/></a>".utf8)
        let (plain, library) = Self.accounts(of: document, in: [65_536])
        #expect(plain.error == nil)
        #expect(plain == library)
    }

    /// More attributes, depth, names, or longer names than are read without libxml2: it goes on from there.
    @Test(arguments: ["attributes", "depth", "name", "names"], [0, 1, 2])
    func libxml2GoesOnBehindTheLimitsOfPlainParts(limit: String, excess: Int) {
        let text =
            switch limit {
            case "attributes":
                "<b \((0..<31 + excess).map { "c\($0)='\($0)'" }.joined(separator: " "))>x</b>"
            case "depth":
                String(repeating: "<b>", count: 248 + excess) + "x" + String(repeating: "</b>", count: 248 + excess)
            case "name": String(repeating: "b", count: 999 + excess).asElement("x")
            default: (0..<65_533 + excess).map { "b\($0)".asElement("x") }.joined()
            }
        let document = Array("<a><d>before</d>\(text)<d>behind</d></a>".utf8)
        let (plain, library) = Self.accounts(of: document, in: [4096, 999])
        #expect(plain.error == nil)
        #expect(plain.events.contains { $0.contains("behind") })
        let isSame = plain == library
        #expect(isSame)
    }
}

extension String {
    /// An element of the name with a text.
    fileprivate func asElement(_ text: String) -> String { "<\(self)>\(text)</\(self)>" }
}
