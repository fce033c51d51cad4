import PersistentStores
import RecordSources
import Testing

@testable import StoreImport

/// A list that is there and empty, or a null in its place, ends the links of its object; one that is not mentioned leaves
/// them.
@Suite struct EmptyListTests {
    private static let entities =
        DraftFixture.entity(
            "Order", "number",
            more: "<relationship name='tags' optional='YES' toMany='YES' destinationEntity='Tag' inverseName='orders' "
                + "inverseEntity='Tag'/>")
        + DraftFixture.entity(
            "Tag", "code",
            more:
                "<relationship name='orders' optional='YES' toMany='YES' destinationEntity='Order' inverseName='tags' "
                + "inverseEntity='Order'/>")

    /// The relationship's mapping, its list with two tags, and the empty one.
    static let lists: [(mapping: String, full: String, empty: String)] = [
        (#"{each: "tags.*", entity: Tag, key: code, attributes: {code: "@key"}}"#, #"{"k": {}, "l": {}}"#, "{}"),
        (#"{by: code, from: "tags.*", onMissing: create}"#, #"{"a": "k", "b": "l"}"#, "{}"),
        (#"{each: "tags[*]", entity: Tag, key: code, attributes: {code: c}}"#, #"[{"c": "k"}, {"c": "l"}]"#, "[]"),
        (#"{by: code, from: "tags[*]", onMissing: create}"#, #"["k", "l"]"#, "[]"),
    ]

    @Test(arguments: lists.indices, [1, 2, 1000])
    func anEmptyListEndsTheLinks(place: Int, size: Int) throws {
        let list = Self.lists[place]
        let fixture = try ImportFixture(entities: Self.entities)
        var options = ImportOptions()
        options.limits.rows = size
        func run(_ texts: [String?], as name: String) throws {
            let records = texts.enumerated().map { number, text in
                "{\"id\": \"\(number)\"\(text.map { ", \"tags\": \($0)" } ?? "")}"
            }
            try fixture.run(
                "[\(records.joined(separator: ","))]", as: name,
                mapping: "files: o*.json\nentity: Order\nkey: number\nattributes: {number: id}\nrelationships:\n"
                    + "  tags: \(list.mapping)\n", options: options)
        }
        try run([list.full, list.full, list.full, list.full], as: "o1.json")
        try run([list.empty, "null", nil, list.full], as: "o2.json")
        let join = try #require(try fixture.rows("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*S'").first)
        let columns = try fixture.rows("SELECT name FROM pragma_table_info('\(join)') ORDER BY name").map { $0 }
        let (orders, tags) = (
            try #require(columns.first { $0.hasSuffix("ORDERS") || $0.hasSuffix("ORDERS1") }),
            try #require(columns.first { $0.hasSuffix("TAGS") || $0.hasSuffix("TAGS1") })
        )
        let rows = try fixture.rows(
            """
            SELECT o.ZNUMBER, t.ZCODE FROM ZORDER o JOIN \(join) j ON j.\(orders) = o.Z_PK \
            JOIN ZTAG t ON t.Z_PK = j.\(tags) ORDER BY 1, 2
            """)
        #expect(rows == ["2|k", "2|l", "3|k", "3|l"])
        #expect(try fixture.faults() == [])
    }
}
