extension XMLWriter {
    /// Related objects in the records: an element each.
    public struct Part {
        let cursor: FetchCursor
        var writer: XMLWriter
        /// The names of the elements around the objects' own.
        let names: [String]
        /// What stands before and behind all objects, and before and behind each.
        let opening: [UInt8]
        let closing: [UInt8]
        let before: [UInt8]
        let behind: [UInt8]

        /// Makes a part of a record of XML.
        /// - Parameters:
        ///   - path: where the objects lie in the record.
        ///   - cursor: of a request with an owner: the record's object.
        ///   - writer: writes the part's objects to the same output, as elements that the path calls so.
        public init(_ path: RecordPartPath, _ cursor: FetchCursor, _ writer: XMLWriter) {
            self.cursor = cursor
            self.writer = writer
            let around = path.around.map(\.name)
            let each = ((path.list.map { [$0] } ?? []) + path.inside).map(\.name).dropLast()
            names = around + each
            (opening, closing) = (Self.beginning(around[...]), Self.end(around[...]))
            (before, behind) = (Self.beginning(each), Self.end(each))
        }

        private static func beginning(_ names: ArraySlice<String>) -> [UInt8] {
            names.flatMap { Array("<\($0)>".utf8) }
        }

        private static func end(_ names: ArraySlice<String>) -> [UInt8] {
            names.reversed().flatMap { Array("</\($0)>".utf8) }
        }
    }
}
