import KeyedArchives
import TestSupport
import Testing

@Suite struct KeyedArchiveBuilderTests {
    @Test func cyclesAndSharedObjectsComeBack() throws {
        var builder = KeyedArchiveBuilder()
        let type = ArchivedClass("Node")
        let (first, second) = (builder.object(type), builder.object(type))
        builder.fill(first, [("name", .reference(builder.string("first"))), ("next", .reference(second))])
        builder.fill(second, [("name", .reference(builder.string("second"))), ("next", .reference(first))])
        let root = try KeyedArchive(builder.bytes(root: first)).root()
        let next = try #require(try root.object("next", kind: "Node"))
        #expect(try root.string("name") == "first")
        #expect(try next.string("name") == "second")
        #expect(try next.object("next") == root)
    }

    /// The numbering that Apple's archiver gives: an object, what it refers to, its class.
    @Test func objectsAreNumberedAsApplesArchiverDoes() {
        var builder = KeyedArchiveBuilder()
        let keys = [builder.string("a"), builder.string("b")]
        let inner = builder.object(ArchivedClass("Inner"), [("flag", .inline(true))])
        let values = [inner, builder.object(ArchivedClass("Inner"), [])]
        let root = builder.dictionary([(keys[0], values[0]), (keys[1], values[1])])
        #expect(
            builder.propertyList(roots: [("root", root)])["$objects"] == [
                "$null",
                ["NS.keys": [.uid(2), .uid(3)], "NS.objects": [.uid(4), .uid(6)], "$class": .uid(7)],
                "a", "b",
                ["flag": true, "$class": .uid(5)],
                ["$classname": "Inner", "$classes": ["Inner", "NSObject"]],
                ["$class": .uid(5)],
                ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]],
            ])
    }

    @Test func valuesOfFoundationsClassesComeBack() throws {
        var builder = KeyedArchiveBuilder()
        let decimal = try #require(DecimalNumber("-12.50"))
        let root = builder.object(
            ArchivedClass("Values"),
            [
                ("date", .reference(builder.date(2.5))), ("uuid", .reference(builder.uuid(Array(0..<16)))),
                ("url", .reference(builder.url("https://example.org"))),
                ("decimal", .reference(builder.decimal(decimal))),
                ("nan", .reference(builder.decimal(.notANumber))), ("none", .reference(.null)),
                ("set", .reference(builder.set([builder.scalar(1), builder.scalar(true)]))),
            ])
        let object = try KeyedArchive(builder.bytes(root: root)).root()
        #expect(try object.value("date").date() == 2.5)
        #expect(try object.value("uuid").uuid() == Array(0..<16))
        #expect(try object.value("url").url()?.relative == "https://example.org")
        #expect(try object.value("decimal").decimal() == decimal)
        #expect(try object.value("nan").decimal() == .notANumber)
        #expect(try object.contains("none"))
        #expect(try object.value("none").isNull)
        #expect(try object.elements("set") == [.scalar(1), .scalar(true)])
    }

    /// One object per link: an archiver that calls itself for each would run out of stack.
    @Test(.long) func longChainsAreWritten() throws {
        var builder = KeyedArchiveBuilder()
        var next = KeyedArchiveBuilder.Reference.null
        for _ in 0..<100_000 {
            next = builder.object(ArchivedClass("Link"), [("next", .reference(next))])
        }
        #expect(try ArchiveWalk.objectCount(builder.bytes(root: next)) == 100_000)
    }
}
