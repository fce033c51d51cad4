import KeyedArchives
import PredicateExpressions
import Testing

@Suite struct PredicateArchivingTests {
    @Test func everyExpressionComesBackFromItsArchive() throws {
        var generator = FormatGenerator(seed: 21, isArchivable: true)
        for number in 0..<1500 {
            let expression = generator.expression(depth: number % 5)
            #expect(try Expression(archive: expression.archive()) == expression, "\(expression)")
        }
    }

    @Test func everyPredicateComesBackFromItsArchive() throws {
        var generator = FormatGenerator(seed: 22, isArchivable: true)
        for number in 0..<1500 {
            let predicate = generator.predicate(depth: number % 5)
            let archive = try KeyedArchive(predicate.archive())
            #expect(try Predicate(archived: archive.root()) == predicate, "\(predicate)")
        }
    }

    /// What Xcode wrote for the filter `timeStamp > CAST(-20251997.055845, "NSDate")`, class by class and key by key.
    @Test func archivesHaveFoundationsClassesAndKeys() throws {
        let predicate = try Predicate(format: "timeStamp > CAST(-20251997.055845, \"NSDate\")")
        let value = try PropertyListReader.value(from: predicate.archive())
        let objects = try #require(value["$objects"]?.array)
        func object(_ className: String) throws -> PropertyListValue {
            let classUID = try #require(objects.firstIndex { $0["$classname"]?.string == className })
            return try #require(objects.first { $0["$class"] == .uid(UInt64(classUID)) })
        }
        func keys(_ className: String) throws -> [String] {
            try #require(try object(className).dictionary).keys.sorted()
        }
        #expect(
            try keys("NSComparisonPredicate") == [
                "$class", "NSLeftExpression", "NSPredicateOperator", "NSRightExpression",
            ])
        #expect(
            try keys("NSComparisonPredicateOperator") == [
                "$class", "NSModifier", "NSOperatorType", "NSOptions", "NSVariant",
            ])
        #expect(
            try keys("NSKeyPathExpression") == [
                "$class", "NSArguments", "NSExpressionType", "NSOperand", "NSSelectorName",
            ])
        #expect(try keys("NSKeyPathSpecifierExpression") == ["$class", "NSExpressionType", "NSKeyPath"])
        #expect(try keys("NSConstantValueExpression") == ["$class", "NSConstantValue", "NSExpressionType"])
        #expect(try object("NSComparisonPredicateOperator")["NSVariant"] == 2)
        #expect(try object("NSKeyPathExpression")["NSExpressionType"] == 3)
        #expect(objects.contains("valueForKey:"))
        #expect(
            objects.contains {
                $0["$classes"] == ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"]
            })
    }

    @Test func whatIsNotKnownInArchivesIsRefused() {
        for expression in [Expression.anyKey, .symbol(.first), .assignment(variable: "v", .evaluatedObject)] {
            #expect(throws: KeyedArchiveError.self) { try expression.archive() }
        }
    }

    @Test func selfReferenceIsAnError() throws {
        var builder = KeyedArchiveBuilder()
        let loop = builder.object(ArchivedClass(["NSCompoundPredicate", "NSPredicate", "NSObject"]))
        let list = builder.array([loop])
        builder.fill(loop, [("NSCompoundPredicateType", .inline(0)), ("NSSubpredicates", .reference(list))])
        let root = try KeyedArchive(builder.bytes(root: loop)).root()
        #expect(throws: KeyedArchiveError.self) { try Predicate(archived: root) }
    }

    /// A hundred levels, each of which uses the next one twice.
    @Test func sharingThatMultipliesIsAnError() throws {
        var builder = KeyedArchiveBuilder()
        var predicate = builder.object(ArchivedClass(["NSTruePredicate", "NSPredicate", "NSObject"]), [])
        for _ in 0..<100 {
            let list = builder.array([predicate, predicate])
            predicate = builder.object(
                ArchivedClass(["NSCompoundPredicate", "NSPredicate", "NSObject"]),
                [("NSCompoundPredicateType", .inline(1)), ("NSSubpredicates", .reference(list))])
        }
        let root = try KeyedArchive(builder.bytes(root: predicate)).root()
        #expect(throws: KeyedArchiveError.self) { try Predicate(archived: root) }
    }
}
