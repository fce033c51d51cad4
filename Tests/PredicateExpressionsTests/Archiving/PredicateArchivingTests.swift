import KeyedArchives
import PredicateExpressions
import TestSupport
import Testing

@Suite struct PredicateArchivingTests {
    @Test(.long) func everyExpressionComesBackFromItsArchive() throws {
        var generator = FormatGenerator(seed: 21)
        for number in 0..<1500 {
            let expression = generator.expression(depth: number % 5)
            #expect(try Expression(archive: expression.archive()) == expression, "\(expression)")
        }
    }

    /// What it is part of can be read; the text of the call says what is wrong.
    @Test(arguments: [("first:second", 2), ("first:second:", 1), ("first", 1), ("", 1)])
    func aCallWhoseSelectorHasOtherColonsThanArgumentsIsReadAndCannotBeParsed(selector: String, arguments: Int) throws {
        let call = Expression.invocation(
            target: .variable("manager"), selector: selector,
            arguments: [Expression](repeating: .evaluatedObject, count: arguments))
        #expect(try Expression(archive: call.archive()) == call)
        #expect(throws: FormatError.self) { try Expression(format: call.format) }
    }

    @Test func aPredefinedFunctionWithOtherColonsThanArgumentsIsRefused() throws {
        let archive = try Expression.function("sum:", [.evaluatedObject, .evaluatedObject]).archive()
        #expect(throws: (any Error).self) { try Expression(archive: archive) }
    }

    @Test(.long) func everyPredicateComesBackFromItsArchive() throws {
        var generator = FormatGenerator(seed: 22)
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

    /// The classes, their numbers and keys are those that Foundation writes.
    @Test(
        arguments: [
            (Expression.anyKey, "NSAnyKeyExpression", 15, []),
            (.symbol(.first), "NSSymbolicExpression", 11, ["NSToken"]),
            (.symbol(.last), "NSSymbolicExpression", 11, ["NSToken"]),
            (.symbol(.size), "NSSymbolicExpression", 11, ["NSToken"]),
            (
                .assignment(variable: "v", .evaluatedObject), "NSVariableAssignmentExpression", 12,
                ["NSAssignmentVariable", "NSSubexpression"]
            ),
        ] as [(FormatExpression, String, Int64, [String])])
    func rareExpressionsHaveTheirClasses(
        _ expression: FormatExpression, _ name: String, _ type: Int64, _ keys: [String]
    ) throws {
        let root = try KeyedArchive(expression.archive()).root()
        #expect(root.className == name)
        #expect(try root.integer("NSExpressionType") == type)
        #expect(try root.keyNames().sorted() == (["NSExpressionType"] + keys).sorted())
        #expect(try Expression(archived: root) == expression)
    }

    @Test func aSymbolThatNobodyKnowsIsAnError() throws {
        var builder = KeyedArchiveBuilder()
        let root = builder.object(
            ArchivedClass(["NSSymbolicExpression", "NSExpression", "NSObject"]),
            [("NSExpressionType", .inline(11)), ("NSToken", .reference(builder.string("MIDDLE")))])
        let archive = try KeyedArchive(builder.bytes(root: root)).root()
        #expect(throws: KeyedArchiveError.self) { try Expression(archived: archive) }
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
