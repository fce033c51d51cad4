public import KeyedArchives

/// The header as it stands in a file.
extension XMLStoreHeader {
    /// Whether bytes begin an XML store: `database` is the outermost element.
    public static func isBeginning(_ bytes: [UInt8]) -> Bool {
        var scanner = XMLTagScanner(bytes)
        return scanner.next().map { bytes[$0].starts(with: "<database".utf8) && $0.count <= 512 } ?? false
    }

    /// Where the `metadata` element of a file's first bytes is, its tags included; nil if the bytes do not have it
    /// whole.
    public static func metadataRange(in bytes: [UInt8]) -> Range<Int>? {
        var scanner = XMLTagScanner(bytes)
        var start: Int?
        while let tag = scanner.next() {
            let text = bytes[tag]
            if text.starts(with: "<object".utf8) { return nil }
            if start == nil, text.starts(with: "<metadata".utf8) {
                start = tag.lowerBound
                if text.dropLast().last == UInt8(ascii: "/") { return tag }
            }
            if let start, text.starts(with: "</metadata".utf8) { return start..<tag.upperBound }
        }
        return nil
    }

    /// The `metadata` element with its tags, laid out as Core Data does where it stands.
    /// - Throws: `PropertyListError` for what XML cannot hold.
    public static func metadataElement(_ metadata: PropertyListDictionary) throws(PropertyListError) -> String {
        // Four spaces a level, where property lists by themselves have tabs.
        let list = try XMLPropertyListWriter.element(for: .dictionary(metadata), indentation: 4, unit: "    ")
        return """
            <metadata>
                        <plist version="1.0">

            """ + list + """
                            </plist>
                        </metadata>
                """
    }
}
