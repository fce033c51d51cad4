import ExternalPrograms
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// What the new model forbids is refused as by a save, or written and reported, whoever has made it: expressions,
/// passes, policies in Swift, policies that are programs, and stages.
@Suite struct EveryWayValidationTests {
    enum Way: String, CaseIterable, Sendable {
        case expressions, passes, policy, program, stage
    }

    private static func entity(_ attributes: [AttributeDescription]) -> EntityDescription {
        EntityDescription(name: "Person", attributes: attributes, relationships: [])
    }

    private static func attribute(
        _ name: String, _ type: AttributeType, _ validation: AttributeValidation = AttributeValidation()
    ) -> AttributeDescription {
        var result = AttributeDescription(name: name, type: type, isOptional: true)
        result.validation = validation
        return result
    }

    private static let age = attribute("age", .integer16, AttributeValidation(maximum: .integer(65)))
    private static let name = attribute("name", .string, AttributeValidation(maximum: .integer(5)))
    private static let more = attribute("more", .string)

    /// Who is 70 was it before; who is 50 becomes 99, and is called "Methuselah".
    private static let rows = """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZAGE, ZNAME) VALUES (1, 1, 1, 20, 'a'), (2, 1, 1, 50, 'b'),
            (3, 1, 1, 70, 'c');
        """

    private static func store() throws -> TestStore {
        try TestStore(from: [entity([age, name])], to: [entity([age, more, name])], rows: rows)
    }

    final class AgePolicy: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let person = try context.createDestinationInstance(for: source)
            guard try source.integer("age") == 50 else { return }
            try person.set("age", to: .integer(99))
            try person.set("name", to: .string("Methuselah"))
        }
    }

    private static let program = #"""
        while IFS= read -r line; do
            case $line in
            '{"ferry":'*) continue ;;
            '{"end":'*) echo '{"end":"batch"}' && continue ;;
            esac
            source=${line#'{"source":"'}
            source=${source%%'"'*}
            case $line in
            *'"age":50'*) printf '{"source":"%s","attributes":{"age":99,"name":"Methuselah"}}\n' "$source" ;;
            *) printf '{"source":"%s"}\n' "$source" ;;
            esac
        done
        """#

    private static func mapping(_ way: Way) -> [EntityMapping] {
        func mapping(_ name: String, _ computed: Bool, filter: String? = nil) -> EntityMapping {
            EntityMapping(
                name: name, type: .transform, sourceEntityName: "Person", destinationEntityName: "Person",
                attributeMappings: [
                    PropertyMapping(name: "age", valueExpression: computed ? "$source.age + 49" : "$source.age"),
                    PropertyMapping(name: "name", valueExpression: computed ? "'Methuselah'" : "$source.name"),
                ], sourceFilter: filter, migrationPolicyClassName: filter == nil ? "App.AgePolicy" : nil)
        }
        switch way {
        case .expressions, .passes:
            return [mapping("A", false, filter: "age != 50"), mapping("B", true, filter: "age == 50")]
        case .policy, .program: return [mapping("P", false)]
        case .stage: return []
        }
    }

    private func migrate(_ store: TestStore, _ way: Way, _ invalid: InvalidObjectPolicy) throws -> [MigrationFinding] {
        guard way != .stage else {
            let edit = StoreEdit.update(
                "Person", where: "age == 50", set: [("age", "99"), ("name", "'Methuselah'")])
            return try store.migrate(followedBy: edit, invalid).findings
        }
        var policies = PolicyRegistry()
        if way == .policy { policies.register(AgePolicy.self, as: "App.AgePolicy") }
        if way == .program {
            let program = try store.directory.write(Self.program, to: "policy.sh")
            policies.register(try #require(ExternalProgram("sh '\(program)'")), as: "App.AgePolicy")
        }
        var model = MappingModel(entityMappings: Self.mapping(way))
        if way == .passes {
            // Each pass in a file of its own.
            let documents = try model.entityMappings.map { mapping in
                try MappingModelFile.read(
                    bytes: Array(MappingModelWriter.yaml(MappingModel(entityMappings: [mapping])).utf8),
                    name: "\(mapping.name).yaml")
            }
            model = try #require(try MappingModelDocument.passes(documents)).model
        }
        return try store.migrate(by: model, invalid, policies: policies).findings
    }

    @Test(arguments: Way.allCases)
    func isRefusedAndNothingChanges(way: Way) throws {
        let store = try Self.store()
        let content = try databaseContent(store.path)
        let error = #expect(throws: MigrationError.self) { _ = try migrate(store, way, .refuse) }
        guard case .invalid(let findings) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        let found = findings.filter { $0.severity == .error }.sorted { $0.subject ?? "" < $1.subject ?? "" }
        #expect(found.map(\.code) == ["invalid-object", "invalid-object"])
        #expect(found.map(\.cocoaCode) == [1610, 1660] && found.map(\.count) == [1, 1])
        #expect(found.map(\.subject) == ["Person.age", "Person.name"])
        #expect(found.map(\.values) == [["99"], ["'Methuselah'"]])
        // Of two mappings of one entity, the second begins its keys behind those of the first.
        let key = way == .expressions || way == .passes ? 5 : 2
        #expect(found.allSatisfy { $0.examples == ["x-coredata://\(TestStore.uuid)/Person/p\(key)"] })
        #expect(try databaseContent(store.path) == content)
    }

    final class EmptyingPolicy: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let person = try context.createDestinationInstance(for: source)
            if try source.integer("age") == 50 { try person.set("name", to: nil) }
        }
    }

    /// What a policy leaves out is an error where it happens, or written and reported.
    @Test func aPolicyMayLeaveOutWhatIsRequired() throws {
        var name = Self.name
        name.isOptional = false
        var policies = PolicyRegistry()
        policies.register(EmptyingPolicy.self, as: "App.AgePolicy")
        let model = MappingModel(entityMappings: Self.mapping(.policy))
        func store() throws -> TestStore {
            try TestStore(
                from: [Self.entity([Self.age, Self.name])], to: [Self.entity([Self.age, Self.more, name])],
                rows: Self.rows)
        }
        let refused = try store()
        let content = try databaseContent(refused.path)
        #expect(throws: MigrationError.self) { try refused.migrate(by: model, .refuse, policies: policies) }
        #expect(try databaseContent(refused.path) == content)

        let written = try store()
        let findings = try written.migrate(by: model, .report, policies: policies).findings
        let found = findings.filter { $0.cocoaCode == 1570 }
        #expect(found.map(\.code) == ["invalid-object"] && found.map(\.count) == [1])
        #expect(found.map(\.subject) == ["Person.name"] && found.map(\.values) == [["NULL"]])
        #expect(found.first?.examples == ["x-coredata://\(TestStore.uuid)/Person/p2"])
        #expect(try written.rows("SELECT Z_PK FROM ZPERSON WHERE ZNAME IS NULL") == ["2"])
    }

    @Test(arguments: Way.allCases)
    func isWrittenAndReportedOnRequest(way: Way) throws {
        let store = try Self.store()
        let findings = try migrate(store, way, .report)
        let found = findings.filter { $0.code == "invalid-object" }.sorted { $0.subject ?? "" < $1.subject ?? "" }
        #expect(found.map(\.severity) == [.warning, .warning] && found.map(\.cocoaCode) == [1610, 1660])
        #expect(try store.rows("SELECT ZAGE, ZNAME FROM ZPERSON WHERE ZNAME = 'Methuselah'") == ["99|Methuselah"])
        // What was so before stays, and is counted.
        let copied = findings.filter { $0.code == "invalid-object-copied" }
        #expect(copied.map(\.count) == [1] && copied.map(\.severity) == [.note])
        #expect(copied.map(\.subject) == ["Person.age"])
    }
}
