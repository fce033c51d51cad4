import PersistentStores
import StoreImport
import TestSupport
import Testing

@testable import RecordSources

/// A JSON null on the way to a value, an object or a list: it says what a null at the end of the path says, and nothing is
/// said where a key is missing.
@Suite struct NullAboveTests {
    private static let entities =
        DraftFixture.entity(
            "Order", "number", "size:Integer 16",
            more: "<relationship name='customer' optional='YES' maxCount='1' destinationEntity='Customer' "
                + "inverseName='orders' inverseEntity='Customer'/>"
                + "<relationship name='place' optional='YES' maxCount='1' destinationEntity='Place' "
                + "inverseName='orders' inverseEntity='Place'/>"
                + "<relationship name='tags' optional='YES' toMany='YES' destinationEntity='Tag' inverseName='orders' "
                + "inverseEntity='Tag'/>")
        + ["Customer", "Place", "Tag"].map { name in
            let (inverse, more) = name == "Tag" ? ("tags", "") : (name.lowercased(), "")
            return DraftFixture.entity(
                name, "code",
                more: "<relationship name='orders' optional='YES' toMany='YES' destinationEntity='Order' "
                    + "inverseName='\(inverse)' inverseEntity='Order'\(more)/>")
        }.joined()

    private static let mapping = """
        files: o*.json
        entity: Order
        key: number
        attributes: {number: id, size: box.inner.size}
        relationships:
          customer: {by: code, from: box.cust.mail, onMissing: create}
          place: {each: box.at.place, entity: Place, key: code, attributes: {code: code}}
          tags: {by: code, from: 'box.list.tags[*]', onMissing: create}

        """

    private static let objects = """
        SELECT o.ZNUMBER, o.ZSIZE, c.ZCODE, p.ZCODE, (SELECT count(*) FROM Z_2TAGS WHERE Z_2ORDERS = o.Z_PK)
        FROM ZORDER o LEFT JOIN ZCUSTOMER c ON c.Z_PK = o.ZCUSTOMER LEFT JOIN ZPLACE p ON p.Z_PK = o.ZPLACE ORDER BY 1
        """

    private static let full =
        #"{"inner": {"size": 5}, "cust": {"mail": "m"}, "at": {"place": {"code": "x"}}, "list": {"tags": ["t", "u"]}}"#

    /// What records say behind a first one that says all, and what is left then: size, customer, place, number of tags.
    static let cases: [(box: String?, left: String)] = [
        ("null", "NULL|NULL|NULL|0"),
        (#"{"inner": null, "cust": null, "at": null, "list": null}"#, "NULL|NULL|NULL|0"),
        (
            #"{"inner": {"size": null}, "cust": {"mail": null}, "at": {"place": null}, "list": {"tags": null}}"#,
            "NULL|NULL|NULL|0"
        ),
        (#"{"inner": null}"#, "NULL|m|x|2"),
        (#"{"cust": null}"#, "5|NULL|x|2"),
        (#"{"at": null}"#, "5|m|NULL|2"),
        (#"{"list": null}"#, "5|m|x|0"),
        (#"{"inner": {}, "cust": {}, "at": {}, "list": {}}"#, "5|m|x|2"),
        ("{}", "5|m|x|2"),
        (nil, "5|m|x|2"),
    ]

    @Test(arguments: [1, 2, 3, 7, 1000], [NewStoreWriter.auto, .sqlite])
    func aNullOnTheWayEndsWhatIsBehindIt(size: Int, writer: NewStoreWriter) throws {
        func record(_ number: Int, _ box: String?) -> String {
            "{\"id\": \"\(number)\"\(box.map { ", \"box\": \($0)" } ?? "")}"
        }
        let first = Self.cases.indices.map { record($0, Self.full) }
        let second = Self.cases.enumerated().map { record($0, $1.box) }
        var options = ImportOptions(limits: RecordBatch.Limits(rows: size))
        options.writer = writer
        let wanted = Self.cases.enumerated().map { "\($0)|\($1.left)" }
        func check(_ parts: [[String]]) throws {
            let fixture = try ImportFixture(entities: Self.entities)
            for (number, records) in parts.enumerated() {
                let report = try fixture.run(
                    "[\(records.joined(separator: ",\n"))]", as: "o\(number).json", mapping: Self.mapping,
                    options: options)
                #expect(!report.hasFindings)
            }
            #expect(try fixture.rows(Self.objects) == wanted, "\(size), \(parts.count) files")
            #expect(try fixture.faults() == [])
        }
        // In a store that is there, in one import with all first records before the others, and record by record.
        try check([first, second])
        try check([first + second])
        try check([zip(first, second).flatMap { [$0, $1] }])
    }

    /// A new object has the model's default in place of a null, as it has where the key is missing.
    @Test func aNullOnTheWayIsANullForDefaultsAndTemplates() throws {
        let fixture = try ImportFixture(
            entities: DraftFixture.entity(
                "Thing", "name",
                more: "<attribute name='size' optional='YES' attributeType='Integer 16' defaultValueString='7'/>"))
        try fixture.run(
            #"[{"n": "a", "x": null}, {"n": "b", "x": {"s": 3}}, {"n": "c"}]"#, as: "t.json",
            mapping: "entity: Thing\nkey: name\nattributes: {name: {text: '{n}{x.t}'}, size: x.s}\n")
        #expect(try fixture.rows("SELECT ZNAME, ZSIZE FROM ZTHING ORDER BY 1") == ["a|7", "b|3", "c|7"])
    }
}
