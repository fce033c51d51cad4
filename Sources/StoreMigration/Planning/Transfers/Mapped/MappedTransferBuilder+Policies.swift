import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The additional parts for mappings with policies.
extension MappedTransferBuilder {
    func policyStep(
        _ mapping: ResolvedEntityMapping, _ policy: PolicyImplementation, _ fill: TableFill, _ program: PolicyProgram
    ) throws(MappedTransferError) -> PolicyStep {
        var calls: [PolicyValueCall] = []
        for attribute in destination.model.entities[mapping.destination].attributes where attribute.isStored {
            guard
                let text = mapping.mapping.attributeMappings.first(where: { $0.name == attribute.name })?
                    .valueExpression,
                try callsPolicy(text, attribute, mapping)
            else { continue }
            calls.append(try call(text, attribute, mapping))
        }
        var related: [RelatedPath] = []
        if case .command = policy {
            let paths = mapping.mapping.userInfo[RelatedPath.userInfoKey] ?? ""
            for path in paths.filter({ !$0.isWhitespace }).split(separator: ",") {
                do throws(RelatedPath.Failure) {
                    related.append(try RelatedPath(String(path), of: mapping.source, in: source.model))
                } catch {
                    throw MappedTransferError(
                        .invalid, at: MappingModelPlace(entityMapping: mapping.name),
                        "\(RelatedPath.userInfoKey) in the user info: \(error.reason)")
                }
            }
        }
        return PolicyStep(
            stage: .instances, policy: policy, mapping: mapping, program: program, fill: fill, calls: calls,
            record: SourceRecordLayout(
                entity: mapping.source, of: source, naming: expressions.naming, after: fill.expressions),
            related: related)
    }

    func callsPolicy(
        _ text: String, _ attribute: ResolvedAttribute, _ mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> Bool {
        guard text.contains("$entityPolicy") else { return false }
        let place = MappingModelPlace(entityMapping: mapping.name, property: attribute.name)
        return try expressions.parsed(text, in: mapping, at: place).callsPolicy
    }

    private func call(
        _ text: String, _ attribute: ResolvedAttribute, _ mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> PolicyValueCall {
        let place = MappingModelPlace(entityMapping: mapping.name, property: attribute.name)
        let expression = try expressions.parsed(text, in: mapping, at: place)
        var names = PolicyNames()
        let program: ExpressionProgram
        do {
            program = try expression.compile(resolving: &names)
        } catch {
            throw MappedTransferError(.neededByPolicy, at: place, "the expression cannot be run: \(error)")
        }
        var arguments: [String] = []
        var kinds: [SQLValueKind] = []
        for path in names.paths {
            do throws(SQLRefusal) {
                let fragment = try expressions.compiler(mapping.source, alias: "s")
                    .compile(Expression.keyPath(path, on: .variable("source")))
                arguments.append(fragment.literalText)
                kinds.append(fragment.kind)
            } catch {
                throw MappedTransferError(.neededByPolicy, at: place, "the argument \(path) cannot be read: \(error)")
            }
        }
        return PolicyValueCall(
            attribute: attribute, program: program, methods: names.methods, arguments: arguments, kinds: kinds)
    }

    /// Returns the queries that lead from sources to objects, and back.
    func policyProgram(
        storeUUID: String, _ invalidObjects: InvalidObjectPolicy
    ) throws(MappedTransferError) -> PolicyProgram {
        var associations: [PolicyProgram.Association] = []
        for mapping in mappings {
            let forward: String
            let backward: String
            var table: String?
            let number = destination.entityNumbers[mapping.destination]
            switch mapping.keys {
            case .associated(let name, _):
                forward = "SELECT destination, entity FROM \(name) WHERE source = ?1"
                backward = "SELECT source FROM \(name) WHERE destination = ?1 ORDER BY source"
                table = String(name.dropFirst("main.".count))
            case .identity:
                forward = "SELECT \(try destinationKey(mapping, of: "?1", kind: mapping.destination)), \(number)"
                // It is rarely needed, so there is no table of all sources.
                backward =
                    "SELECT s.Z_PK FROM \(expressions.schema.table(of: mapping.source).name) s WHERE "
                    + "\(try expressions.membership(mapping, alias: "s")) AND "
                    + "\(try destinationKey(mapping, of: "s.Z_PK", kind: mapping.destination)) = ?1"
            case .offset(let offset):
                forward = "SELECT \(try destinationKey(mapping, of: "?1", kind: mapping.destination)), \(number)"
                backward =
                    "SELECT m.Z_PK FROM \(expressions.schema.table(of: mapping.source).name) m WHERE m.Z_PK = ?1 - \(offset) "
                    + "AND \(try expressions.membership(mapping, alias: "m"))"
            }
            associations.append(
                PolicyProgram.Association(
                    mapping: mapping.name, source: mapping.source, destination: mapping.destination, forward: forward,
                    backward: backward, table: table))
        }
        return PolicyProgram(
            source: source, destination: destination, naming: expressions.naming, storeUUID: storeUUID,
            now: expressions.now, associations: associations, firstFreeKeys: firstFreeKeys,
            invalidObjects: invalidObjects)
    }
}
