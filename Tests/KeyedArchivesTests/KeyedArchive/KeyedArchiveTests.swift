import KeyedArchives
import Testing

@Suite struct KeyedArchiveTests {
    /// An archive around a table of objects.
    private func archive(_ objects: [PropertyListValue], root: UInt64 = 1) throws -> KeyedArchive {
        try KeyedArchive(bytes(objects, root: root))
    }

    private func bytes(_ objects: [PropertyListValue], root: UInt64 = 1) -> [UInt8] {
        BinaryPropertyListWriter.bytes(for: [
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(root)],
            "$objects": .array(["$null"] + objects),
        ])
    }

    private let node: PropertyListValue = ["$classname": "Node", "$classes": ["Node", "NSObject"]]

    @Test func readsValuesByKeyAndType() throws {
        let root = try archive([
            [
                "$class": .uid(2), "flag": true, "count": 3, "ratio": .real(0.5), "name": .uid(3), "none": .uid(0),
                "bytes": .data([1]), "self": .uid(1),
            ],
            node, "text",
        ]).root()
        #expect(root.className == "Node")
        #expect(root.isKind(of: "NSObject"))
        #expect(try root.boolean("flag") == true)
        #expect(try root.integer("count") == 3)
        #expect(try root.real("ratio") == 0.5)
        #expect(try root.string("name") == "text")
        #expect(try root.string("none") == nil)
        #expect(try root.string("absent") == nil)
        #expect(try root.data("bytes") == [1])
        #expect(try root.object("self") == root)
        #expect(try root.keyNames() == ["flag", "count", "ratio", "name", "none", "bytes", "self"])
    }

    @Test func aWrongTypeIsAnErrorThatSaysWhere() throws {
        let root = try archive([["$class": .uid(2), "count": .uid(3)], node, "text"]).root()
        do {
            _ = try root.integer("count")
            Issue.record("read an integer")
        } catch let error as KeyedArchiveError {
            #expect(
                error == KeyedArchiveError(.typeUnexpected, object: 1, className: "Node", key: "count", found: "text"))
            #expect("\(error)".contains("object 1 (Node), key count"))
        }
    }

    @Test func readsKnownKeysDictionaries() throws {
        let root = try archive([
            ["$class": .uid(2), "searchMapping": .uid(3), "values": .uid(5), "emptyToken": .uid(7), "version": 1],
            [
                "$classname": "NSKnownKeysDictionary1",
                "$classes": ["NSKnownKeysDictionary1", "NSMutableDictionary", "NSDictionary", "NSObject"],
            ],
            ["$class": .uid(4), "keys": .uid(6), "length": 2],
            ["$classname": "NSKnownKeysMappingStrategy1", "$classes": ["NSKnownKeysMappingStrategy1", "NSObject"]],
            ["$class": .uid(8), "NS.objects": [.uid(9), .uid(7)]],
            ["$class": .uid(8), "NS.objects": [.uid(10), .uid(11)]],
            "empty token",
            ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
            "value", "a", "b",
        ]).root()
        let pairs = try #require(try root.pairs())
        #expect(try pairs.map { try $0.key.string() } == ["a"])
        #expect(try pairs.map { try $0.value.string() } == ["value"])
    }

    @Test func readsValuesOfFoundationsClasses() throws {
        let root = try archive([
            ["$class": .uid(2), "string": .uid(3), "data": .uid(5), "date": .uid(7), "numbered": .uid(9)],
            node,
            ["$class": .uid(4), "NS.string": "mutable"],
            ["$classname": "NSMutableString", "$classes": ["NSMutableString", "NSString", "NSObject"]],
            ["$class": .uid(6), "NS.data": .data([9])],
            ["$classname": "NSMutableData", "$classes": ["NSMutableData", "NSData", "NSObject"]],
            ["$class": .uid(8), "NS.time": .real(1.25)],
            ["$classname": "NSDate", "$classes": ["NSDate", "NSObject"]],
            ["$class": .uid(10), "NS.key.0": .uid(3), "NS.object.0": .uid(7)],
            ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]],
        ]).root()
        #expect(try root.string("string") == "mutable")
        #expect(try root.data("data") == [9])
        #expect(try root.value("date").date() == 1.25)
        let pairs = try #require(try root.namedValues("numbered"))
        #expect(pairs.map(\.name) == ["mutable"])
        #expect(try pairs.map { try $0.value.date() } == [1.25])
    }

    @Test func aStringOfItselfIsNoText() throws {
        let root = try archive([
            ["$class": .uid(2), "NS.string": .uid(1)],
            ["$classname": "NSMutableString", "$classes": ["NSMutableString", "NSString", "NSObject"]],
        ]).root()
        #expect(try ArchivedValue.object(root).string() == nil)
    }

    @Test func damagedArchivesAreNamed() {
        #expect(code { try KeyedArchive(BinaryPropertyListWriter.bytes(for: [1])) } == .notAKeyedArchive)
        #expect(code { try KeyedArchive(BinaryPropertyListWriter.bytes(for: ["$top": 1])) } == .notAKeyedArchive)
        #expect(code { try archive([["$class": .uid(2)], node]).root("other") } == .rootMissing)
        #expect(code { try archive(["text"]).root() } == .rootMissing)
        #expect(code { try archive([["a": 1]]).root() } == .classInvalid)
        #expect(code { try archive([["$class": .uid(1)]]).root() } == .classInvalid)
        #expect(code { try archive([["$class": .uid(99)]]).root() } == .referenceOutOfRange)
        #expect(
            code { try archive([["$class": .uid(2), "a": .uid(99)], node]).root().value("a") } == .referenceOutOfRange)
        #expect(code { try archive([node], root: 50).root() } == .referenceOutOfRange)
    }

    /// A hundred thousand readings of a list of ten thousand elements would take minutes.
    @Test func workOutOfProportionIsAnError() throws {
        let list: PropertyListValue = [
            "$class": .uid(2), "NS.objects": .array(Array(repeating: .uid(3), count: 10_000)),
        ]
        let root = try archive([list, ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]], "x"]).root()
        #expect(try root.elements()?.count == 10_000)
        #expect(
            code {
                for _ in 0..<100_000 {
                    _ = try root.elements()
                }
            } == .tooComplex)
    }

    private func code<Result>(_ body: () throws -> Result) -> KeyedArchiveError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? KeyedArchiveError)?.code
        }
    }
}
