import TestSupport

/// Documents of everything that XML has, a fourth of them of nothing but elements, attributes and texts; the others
/// mostly with an error.
struct RandomXMLDocument {
    var random: RandomNumbers
    private var text = ""
    /// One of so many places is not plain; 0 for none.
    private let rarity: Int

    init(seed: UInt64) {
        random = RandomNumbers(seed: seed)
        rarity = [0, 60, 20, 200][Int(seed % 4)]
    }

    private mutating func one(of choice: [String]) -> String { choice.randomElement(using: &random) ?? "" }
    private mutating func happens(oneOf count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    private mutating func isOdd() -> Bool { rarity > 0 && happens(oneOf: rarity) }

    mutating func make() -> [UInt8] {
        text = one(of: [
            "", "", "<?xml version=\"1.0\"?>\n", "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n",
            "<!-- x > y -->\n", "<!DOCTYPE root SYSTEM \"file:///x.dtd\">\n", "<?program?>\n",
            "<?xml version='1.0' encoding='ISO-8859-1'?>",
        ])
        if isOdd() { text += "<!DOCTYPE root [<!ENTITY none 'x'>]>" }
        let name = one(of: ["root", "root", "p:root"])
        text += "<" + name
        text += one(of: [
            " xmlns:p='urn:p' xmlns:q='urn:q'>", " xmlns:p='urn:p' xmlns:q='urn:q' xmlns='urn:d'>",
            "\n xmlns:p='urn:p'\n xmlns:q='urn:p'>", " a='1' xmlns:p='urn:p' xmlns:q='urn:q'>",
        ])
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            appendText()
            appendElement(depth: 0)
        }
        if !happens(oneOf: 12) { text += "</\(name)>" + one(of: ["", "\n", "<!-- end -->", " x"]) }
        var bytes = Array(text.utf8)
        if rarity > 0, happens(oneOf: 2) { damage(&bytes) }
        return bytes
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        for _ in 0..<Int.random(in: 1...2, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let byte: UInt8 =
                Array("<>&\"'/ \nA]".utf8 + [0, 0x80, 0xFF, 0xC3]).randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.remove(at: place)
            case 1: bytes[place] = byte
            case 2: bytes.insert(byte, at: place)
            default: bytes.removeSubrange(place...)
            }
        }
    }

    private mutating func name() -> String {
        isOdd()
            ? one(of: ["é", "r:z", "xml:lang", "xmlns", "a:b:c", "-x", "x\u{B7}y"])
            : one(of: [
                "a", "b", "name", "p:x", "q:y", "a-b", "_u.v", "abcdefgh", "abcdefghijklmnop", "longerThanTwoWords",
            ])
    }

    private mutating func appendText() {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            text +=
                isOdd()
                ? one(of: [
                    "&#65;", "&#x1F600;", "<!-- c -->", "<![CDATA[x<y]]>", "<?pi x?>", "]]>", "&none;", "\r\n", "\r",
                    "\u{FFFE}", "\u{1}", "&#0;", "&amp",
                ])
                : one(of: [
                    "hello", "é", "日本", "😀", "\n", "\n   ", "\t", " ", "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "]",
                    "]]", "a>b", "'\"", "\u{7F}", "12345.678", "x]] >y",
                ])
        }
    }

    private mutating func appendAttributes() {
        var used: Set<String> = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            var name = name()
            if !isOdd() { while used.contains(name) { name += "1" } }
            used.insert(name)
            text += isOdd() ? one(of: ["", " \r\n"]) : one(of: [" ", "  ", "\n", "\n  ", "\t"])
            text += name + (isOdd() ? one(of: [" = ", "", " "]) : "=")
            let value =
                isOdd()
                ? one(of: ["&#10;", "\n", "\t", "<", "&none;", "&amp", "\r"])
                : one(of: ["", "1", "x y", "é", "日本", "&amp;", "&lt;b&gt;", "&quot;", "&apos;", "a]b>c", "z1 z2 z3"])
            let quote = one(of: ["\"", "'"])
            text += quote + value + one(of: ["", "q"]) + quote
            if isOdd() { text += one(of: [" xmlns:r='urn:r'", " xmlns=''"]) }
        }
    }

    private mutating func appendElement(depth: Int) {
        let name = name()
        text += "<" + name
        appendAttributes()
        text += one(of: ["", "", " ", "\n"])
        if happens(oneOf: 5) {
            text += "/>"
            return
        }
        text += ">"
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            appendText()
            if depth < 3, !happens(oneOf: 3) { appendElement(depth: depth + 1) }
        }
        appendText()
        text += "</" + (isOdd() ? self.name() : name) + one(of: ["", "", " ", "\n"]) + ">"
    }
}
