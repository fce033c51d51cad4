import ExternalPrograms
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

/// Objects and links of policies that are programs are the same whether the file is built with them or SQLite writes
/// them.
@Suite struct BuiltProgramTests {
    /// Sends the file with the answers for each record, which is named after the record's key.
    private static let program = #"""
        read -r hello
        while read -r line; do
            case $line in '{"end"'*) echo "$line"; continue ;; esac
            s=${line#*:\"}; s=${s%%\"*}
            if [ -f "$1/${s##*/p}" ]; then cat "$1/${s##*/p}"; else echo "{\"source\":\"$s\"}"; fi
        done
        """#

    /// Makes up answers.
    private struct Answers {
        let old: ResolvedModel
        let new: ResolvedModel
        let content: StoreContent
        let mapping: MappingModel
        var random: RandomNumbers

        private mutating func chance(_ whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) == 0 }

        func uri(_ object: StoreContent.Object) -> String {
            "x-coredata://\(StoreWriter().uuid)/\(old.entities[object.slot].name)/p\(object.key)"
        }

        /// Returns the sources from which a mapping makes objects to which a relationship may lead.
        private func sources(_ relationship: ResolvedRelationship) -> [StoreContent.Object] {
            content.objects.filter { object in
                mapping.entityMappings.contains { other in
                    guard let destination = other.destinationEntityName.flatMap({ new.slot(named: $0) }) else {
                        return false
                    }
                    return other.sourceEntityName == old.entities[object.slot].name
                        && new.isKind(destination, of: relationship.destination)
                }
            }
        }

        private mutating func relationships(_ entity: ResolvedEntity, id: String) -> String {
            var members: [String] = []
            for relationship in entity.relationships where relationship.isStored && chance(2) {
                let sources = sources(relationship)
                var targets = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
                    sources.randomElement(using: &random).map { "\"\(uri($0))\"" }
                }
                if new.isKind(entity.slot, of: relationship.destination), chance(3) {
                    targets.append("{\"id\":\"\(id)\"}")
                }
                let value =
                    relationship.isToMany ? "[\(targets.joined(separator: ","))]" : targets.first ?? "null"
                members.append("\"\(relationship.name)\":\(value)")
            }
            return members.joined(separator: ",")
        }

        /// Returns the answers to a record.
        mutating func lines(_ object: StoreContent.Object, _ entity: ResolvedEntity) -> [String] {
            let source = "{\"source\":\"\(uri(object))\""
            if chance(9) { return [source + ",\"skip\":true}"] }
            return (0..<(chance(6) ? 2 : 1)).map { number in
                let id = "o\(object.key)-\(number)"
                var line = source + ",\"id\":\"\(id)\""
                let text = entity.attributes.first(where: { $0.type == .string && $0.isStored && !$0.isDerived })
                if let text, chance(4) {
                    if chance(2) { line += ",\"key\":[\"\(text.name)\"]" }
                    line += ",\"attributes\":{\"\(text.name)\":\"t\(Int.random(in: 0...2, using: &random))ö\"}"
                }
                if chance(2) { line += ",\"relationships\":{\(relationships(entity, id: id))}" }
                return line + "}"
            }
        }
    }

    @Test func theyAreThoseThatSQLiteWrites() throws {
        let seeds = RandomNumbers.seeds(60)
        var (compared, asked) = (0, 0)
        for number in seeds {
            let seed = UInt64(number) &+ 7000
            var random = RandomNumbers(seed: seed)
            var models = RandomModel(seed: seed)
            let old = models.model()
            let new = models.laterVersion(of: old)
            var writer = StoreWriter()
            writer.encoding = [.utf8, .utf16LittleEndian, .utf8, .utf16BigEndian][number % 4]
            var content: StoreContent?
            let store = try TestStore(from: old, to: new, writer: writer) { model in
                var made = RandomContent(model: model, seed: seed &* 13 &+ 1)
                let objects = made.content(upTo: 14)
                content = objects
                return objects
            }
            var mapping = store.inferred.editableModel
            let script = try store.directory.write(Self.program, to: "answer.sh")
            var answers = Answers(
                old: store.source.model, new: store.destination.model, content: try #require(content), mapping: mapping,
                random: random)
            var policies = PolicyRegistry()
            for index in mapping.entityMappings.indices where Bool.random(using: &random) {
                let entityMapping = mapping.entityMappings[index]
                guard entityMapping.type != .remove, let source = entityMapping.sourceEntityName,
                    let entity = entityMapping.destinationEntityName.flatMap({
                        store.destination.model.entity(named: $0)
                    })
                else { continue }
                let folder = store.directory.file("answers-\(index)")
                try FileSystem.createDirectory(folder)
                for object in answers.content.objects where answers.old.entities[object.slot].name == source {
                    let lines = answers.lines(object, entity)
                    try store.directory.write(
                        lines.map { $0 + "\n" }.joined(), to: "answers-\(index)/\(object.key)")
                    asked += 1
                }
                mapping.entityMappings[index].migrationPolicyClassName = "App.P\(index)"
                policies.register(
                    try #require(ExternalProgram("sh '\(script)' '\(folder)'")), as: "App.P\(index)")
            }
            guard let plan = try? store.plan(by: mapping, .report, policies: policies), plan.program != nil else {
                continue
            }
            let size = [nil, 1, 2, 3, 7].randomElement(using: &random) ?? nil
            let options = MigrationOptions.limited(size, &random)
            if try BuiltPolicyLinkTests.comparedContent(mapping, options, store, policies, seed) != nil {
                compared += 1
            }
        }
        #expect(compared > seeds.count / 4)
        #expect(asked > seeds.count)
    }
}
