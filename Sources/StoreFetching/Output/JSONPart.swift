extension JSONWriter {
    /// Related objects in the records: an array of objects, or a single object.
    public struct Part {
        let isList: Bool
        let cursor: FetchCursor
        var writer: JSONWriter
        /// The texts before and after all objects, and before and after each.
        let opening: [UInt8]
        let closing: [UInt8]
        let before: [UInt8]
        let behind: [UInt8]

        /// Makes a part of a record of JSON.
        /// - Parameters:
        ///   - path: the path of the objects in the record.
        ///   - cursor: the results of a request whose owner is the record's object.
        ///   - writer: writes the part's objects to the same output, as lines.
        /// - Throws: `FetchError` for a name that is not valid UTF-8.
        public init(_ path: RecordPartPath, _ cursor: FetchCursor, _ writer: JSONWriter) throws {
            isList = path.isList
            self.cursor = cursor
            self.writer = writer
            var (opening, closing): ([UInt8], [UInt8]) = ([], [])
            for step in path.around {
                opening += try Self.key(step.name) + (step.isList ? "[{" : "{").utf8
                closing = Array((step.isList ? "}]" : "}").utf8) + closing
            }
            var inside = path.inside
            if let list = path.list {
                opening += try Self.key(list.name) + [UInt8(ascii: "[")]
                closing = [UInt8(ascii: "]")] + closing
            } else if let first = inside.popFirst() {
                opening += try Self.key(first.name)
            }
            self.opening = opening
            self.closing = closing
            before = try inside.flatMap { [UInt8(ascii: "{")] + (try Self.key($0.name)) }
            behind = inside.map { _ in UInt8(ascii: "}") }
        }

        private static func key(_ name: String) throws -> [UInt8] {
            var key: [UInt8] = []
            try JSONValueWriter.append(key: name, to: &key)
            return key
        }
    }
}
