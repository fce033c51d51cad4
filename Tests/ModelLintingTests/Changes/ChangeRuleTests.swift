import ManagedObjectModels
import MappingModels
import ModelLinting
import Testing

/// The step between two small versions, and what is found in it.
@Suite struct ChangeRuleTests {
    private func findings(_ old: String, _ new: String) throws -> [LintFinding] {
        let folder = try ModelFolder([("Old", old), ("New", new)])
        return try withExtendedLifetime(folder) {
            let versions = try folder.versions()
            return try ModelLinter.findings(from: versions.version("Old"), to: versions.version("New"))
        }
    }

    /// The findings where a mapping model does the step.
    private func listing(_ old: String, _ new: String, by mapping: String) throws -> [String] {
        let folder = try ModelFolder([("Old", old), ("New", new)])
        return try withExtendedLifetime(folder) {
            let versions = try folder.versions()
            let document = try MappingModelFile.read(bytes: Array(("mapping: 1\n" + mapping).utf8), name: "m.yaml")
            return try ModelLinter.findings(
                from: versions.version("Old"), to: versions.version("New"), by: document
            ).map { "\($0.code.rawValue) \($0.subject ?? "\($0.file):\($0.line ?? 0)")" }
        }
    }

    private func listing(_ old: String, _ new: String) throws -> [String] {
        try findings(old, new).map { "\($0.code.rawValue) \($0.subject ?? "-")" }
    }

    private func entity(_ properties: String, name: String = "A", _ more: String = "") -> String {
        "<entity name=\"\(name)\" \(more)>\(properties)</entity>"
    }

    private func attribute(_ name: String, _ type: String = "String", _ more: String = "optional=\"YES\"") -> String {
        "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
    }

    @Test func nothingIsSaidOfWhatIsHarmless() throws {
        let old = entity(attribute("a"))
        #expect(try listing(old, old) == [])
        #expect(try listing(old, entity(attribute("a") + attribute("b", "Date"))) == [])
    }

    @Test func whatIsDroppedIsLost() throws {
        #expect(try listing(entity(attribute("a") + attribute("b")), entity(attribute("a"))) == ["FM601 A.b"])
        #expect(
            try listing(entity(attribute("a")) + entity(attribute("x"), name: "B"), entity(attribute("a")))
                == ["FM601 B"])
    }

    @Test func aDropAndAnAdditionOfOneTypeAreAskedAbout() throws {
        let old = entity(attribute("fullName") + attribute("born", "Date"))
        let found = try listing(old, entity(attribute("name") + attribute("age", "Integer 16")))
        #expect(Set(found) == ["FM601 A.fullName", "FM601 A.born", "FM604 A.name"])
    }

    // MARK: - Steps that a mapping model does

    @Test func whatAMappingModelReadsIsNotLostAndWhatItFillsIsNoRename() throws {
        let old = entity(attribute("fullName") + attribute("born", "Date")) + entity(attribute("x"), name: "B")
        let new = entity(attribute("name") + attribute("age", "Integer 16"))
        #expect(Set(try listing(old, new)) == ["FM601 A.fullName", "FM601 A.born", "FM604 A.name", "FM601 B"])
        let start = "entities:\n  - source: A\n    destination: A\n"
        #expect(
            Set(try listing(old, new, by: start + "    attributes: {name: $source.fullName}"))
                == ["FM601 A.born", "FM601 B"])
        let both = "  - source: B\n    destination: A\n    name: more\n    attributes: {name: $source.x}\n"
        // The objects of the other entity have no name of the first one's.
        #expect(
            try listing(old, new, by: start + "    attributes: {name: $source.fullName, age: $source.born.x}\n" + both)
                == [])
        #expect(try listing(old, new, by: start + both).contains("FM601 A.fullName"))
        // What one of several mappings of an entity reads is not lost.
        let split = "  - source: A\n    destination: A\n    name: dates\n    attributes: {age: $source.born.x}\n"
        #expect(
            Set(try listing(old, new, by: start + "    attributes: {name: $source.fullName}\n" + split))
                == ["FM604 A.name", "FM601 B"])
        // Nor does it take up what inference would.
        #expect(
            try listing(old, old, by: "entities:\n  - source: B\n    destination: B\n") == ["FM601 A"])
        // The code of a policy may read all of it, or nothing.
        #expect(try listing(old, new, by: start + "    policy: App.P\n").contains("FM601 A.fullName"))
    }

    @Test func whatCannotBeInferredIsUpToTheMappingModelAndItsFaultsAreFound() throws {
        let old = entity(attribute("a", "String"))
        let new = entity(attribute("a", "Integer 16", "optional=\"NO\""))
        #expect(try listing(old, new).contains("FM602 A.a"))
        let start = "entities:\n  - source: A\n    destination: A\n"
        #expect(try listing(old, new, by: start + "    attributes: {a: 'CAST($source.a, \"NSNumber\")'}\n") == [])
        #expect(try listing(old, new, by: start + "    attributes: {a: $source.a}\n") == ["FM608 m.yaml:5"])
        #expect(try listing(old, new, by: start) == ["FM608 m.yaml:3"])
        #expect(
            Set(try listing(old, new, by: start + "    attributes: {a: 'CAST($source.b, \"NSNumber\")', c: 1}\n"))
                == ["FM608 m.yaml:5"])
    }

    /// NULLs of an attribute that becomes required: a copy does not help, a value does.
    @Test func aCopyLeavesWhatTheDataDecide() throws {
        let (old, new) = (entity(attribute("a")), entity(attribute("a", "String", "optional=\"NO\"")))
        let start = "entities:\n  - source: A\n    destination: A\n    attributes: {a: "
        let inferred = try listing(old, new)
        #expect(inferred == ["FM603 A.a"])
        #expect(try listing(old, new, by: start + "$source.a}\n") == inferred)
        #expect(try listing(old, new, by: start + "'TERNARY($source.a == nil, \"\", $source.a)'}\n") == [])
    }

    /// `MORE` of a mapping of an entity with itself: objects that no mapping takes.
    @Test(arguments: [
        ("filter: a == nil", "", ["FM601 A"]), ("filter: a == nil", "filter: a != nil", []),
        ("filter: a < 5", "filter: a >= 5", ["FM601 A"]), ("filter: a < 5", "filter: a >= 5 OR a == nil", []),
        ("filter: a == 1", "filter: a == 2", ["FM601 A"]), ("filter: NOT a == 1", "filter: a == 1", []),
        ("filter: 'TRUEPREDICATE'", "", []), ("key: [a]", "", ["FM601 A"]), ("key: [u]", "", []),
        ("key: [a]", "name: B", []), ("key: [a], filter: a != nil", "filter: a == nil", ["FM601 A"]),
        ("key: [a], filter: a != nil", "", ["FM601 A"]),
    ])
    func objectsThatAMappingModelLeavesOutAreLost(first: String, second: String, expected: [String]) throws {
        let text = entity(
            attribute("a", "Integer 16") + attribute("u")
                + "<uniquenessConstraints><uniquenessConstraint><constraint value=\"u\"/></uniquenessConstraint>"
                + "</uniquenessConstraints>")
        let mapping =
            "entities:\n- {source: A, destination: A, \(first)}\n"
            + (second.isEmpty ? "" : "- {source: A, destination: A, name: Second, \(second)}\n")
            .replacing("name: Second, name: B", with: "name: B")
        let found = try listing(text, text, by: mapping)
        #expect(found.filter { $0.hasPrefix("FM601") } == expected)
    }

    @Test func linksAndValuesThatAMappingModelDoesNotReadAreLost() throws {
        func model(_ more: String) -> String {
            entity(
                attribute("a")
                    + "<relationship name=\"bs\" optional=\"YES\" \(more) destinationEntity=\"B\" inverseName=\"a\"/>")
                + entity(
                    "<relationship name=\"a\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"A\" inverseName=\"bs\"/>",
                    name: "B")
        }
        let (many, one) = (model("toMany=\"YES\""), model("maxCount=\"1\""))
        let start = "entities:\n- source: A\n  destination: A\n"
        let other = "- source: B\n  destination: B\n"
        let chosen =
            "  relationships: {bs: {value: 'FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"BToB\", $source.bs)', choose: first}}\n"
        #expect(try listing(many, one, by: start + chosen + other + "  relationships: {a: null}\n") == ["FM601 A.bs"])
        // One side is enough.
        #expect(try listing(many, many, by: start + other + "  relationships: {a: null}\n") == [])
        #expect(
            Set(
                try listing(
                    many, many, by: start + "  relationships: {bs: null}\n" + other + "  relationships: {a: null}\n"))
                == ["FM601 A.bs", "FM601 B.a"])
        #expect(try listing(many, many, by: start + "  attributes: {a: '\"x\"'}\n" + other) == ["FM601 A.a"])
    }

    @Test func anOlderVersionThatCannotBeReadIsAFindingAndTheOthersAreLookedAt() throws {
        let folder = try ModelFolder([
            ("M 1", entity(attribute("a"))), ("M 2", "<<<<<<< HEAD"), ("M 3", entity(attribute("b", "Date"))),
        ])
        let versions = try folder.versions()
        let found = try ModelLinter.findings(fromAll: versions, to: versions.version("M 3"))
        #expect(found.map { "\($0.code.rawValue) \($0.version)" } == ["FM011 M/M 2", "FM601 M/M 3"])
    }

    @Test func theNearestNameIsAskedAbout() throws {
        let old = entity(attribute("firstName") + attribute("zip"))
        let asked = try findings(old, entity(attribute("postalCode") + attribute("givenName")))
            .filter { $0.code == .possibleRename }
        #expect(asked.first { $0.property == "givenName" }?.message.hasPrefix("firstName,") == true)
        #expect(asked.first { $0.property == "postalCode" }?.message.hasPrefix("zip,") == true)
    }

    @Test func aRenameWithIdentifierIsOnlyNoted() throws {
        let new = entity(attribute("name", "String", "optional=\"YES\" elementID=\"fullName\""))
        #expect(try listing(entity(attribute("fullName")), new) == ["FM605 A.name"])
    }

    @Test func anEntityUnderAnotherNameIsAskedAbout() throws {
        let properties = attribute("a") + attribute("b", "Date") + attribute("c", "Double")
        #expect(
            Set(try listing(entity(properties), entity(properties + attribute("d"), name: "B")))
                == ["FM601 A", "FM604 B"])
    }

    @Test func aRelationshipUnderAnotherNameIsAskedAbout() throws {
        func model(_ name: String) -> String {
            entity(
                "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"B\" inverseName=\"as\"/>"
            )
                + entity(
                    "<relationship name=\"as\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"A\" inverseName=\"\(name)\"/>",
                    name: "B")
        }
        let found = try listing(model("owner"), model("keeper"))
        #expect(found.contains("FM604 A.keeper"))
        #expect(found.contains("FM601 A.owner"))
    }

    @Test func whatInferenceRefusesOrAsksIsFoundOnce() throws {
        #expect(try listing(entity(attribute("a")), entity(attribute("a", "Date"))) == ["FM602 A.a"])
        #expect(try listing(entity(attribute("a")), entity(attribute("a", "String", ""))) == ["FM603 A.a"])
    }

    @Test func aTypeOfNumbersForAnotherIsNoErrorAndAskedOfTheDataWhereItIsNarrower() throws {
        #expect(try listing(entity(attribute("a", "Integer 16")), entity(attribute("a", "Integer 64"))) == [])
        #expect(
            try listing(entity(attribute("a", "Double")), entity(attribute("a", "Integer 32"))) == ["FM603 A.a"])
        #expect(try listing(entity(attribute("a", "Integer 64")), entity(attribute("a", "Decimal"))) == ["FM602 A.a"])
    }

    @Test func tighterRulesAreFound() throws {
        let new = entity(attribute("a", "String", "optional=\"YES\" maxValueString=\"5\""))
        #expect(try listing(entity(attribute("a")), new).contains("FM606 A.a"))
    }

    @Test func versionsThatCannotBeToldApartAreFound() throws {
        let old = entity(attribute("a"), "representedClassName=\"One\"")
        #expect(try listing(old, entity(attribute("a"), "representedClassName=\"Two\"")) == ["FM607 -"])
    }
}
