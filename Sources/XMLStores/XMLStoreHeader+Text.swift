public import KeyedArchives

/// The text of the header in a file.
extension XMLStoreHeader {
    /// Returns whether bytes are the beginning of an XML store: the root element is `database`.
    public static func isBeginning(_ bytes: [UInt8]) -> Bool {
        var scanner = XMLTagScanner(bytes)
        return scanner.next().map { bytes[$0].starts(with: "<database".utf8) && $0.count <= 512 } ?? false
    }

    /// Returns the range of the `metadata` element in a file's first bytes, including its tags; nil if it is not
    /// complete.
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

    /// Returns the `metadata` element with its tags, in the layout that Core Data uses there.
    /// - Throws: `PropertyListError` for values that XML cannot represent.
    public static func metadataElement(_ metadata: PropertyListDictionary) throws(PropertyListError) -> String {
        // Four spaces per level, whereas separate property lists have tabs.
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
