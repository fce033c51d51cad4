extension XMLWriter {
    /// Related objects in the records, each as an element.
    public struct Part {
        let cursor: FetchCursor
        var writer: XMLWriter
        /// The names of the elements around the objects.
        let names: [String]
        /// The text before and after all objects, and before and after each.
        let opening: [UInt8]
        let closing: [UInt8]
        let before: [UInt8]
        let behind: [UInt8]

        /// Makes a part of a record of XML.
        /// - Parameters:
        ///   - path: the path of the objects in the record.
        ///   - cursor: the results of a request whose owner is the record's object.
        ///   - writer: writes the part's objects to the same output, as elements with the names in the path.
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
