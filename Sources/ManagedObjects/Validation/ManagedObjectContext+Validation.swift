public import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

extension ManagedObjectContext {
    /// Validates an object as the next save would: first its properties, then their consistency.
    ///
    /// - Throws: an `ObjectValidationError` or the error of a rule of the program, or `ObjectValidationErrors` for
    ///   several; `ManagedObjectError` if the object belongs to another context.
    public func validate(_ object: ManagedObject) throws {
        try check(object)
        if let error = ObjectValidationErrors.combining(errors(of: object)) { throw error }
    }

    /// Validates a value for an attribute of an object; does not set the attribute.
    ///
    /// - Throws: `ObjectValidationError`, or any error that a rule of the program throws; `ManagedObjectError` if the
    ///   attribute is unknown.
    /// - Returns: the value, or the one by which a rule of the program has replaced it.
    public func validated(
        _ value: AttributeValue?, forKey name: String, of object: ManagedObject
    ) throws -> AttributeValue? {
        try check(object)
        let slot = try object.attributeSlot(name)
        guard let rule = coordinator.rules.attributes(of: object.shape.entity.slot).first(where: { $0.slot == slot })
        else { return value }
        return try validated(value, by: rule, of: object)
    }

    /// Returns all validation errors of the changes that the next save would write.
    func validationErrors() -> [any Error] {
        var errors: [any Error] = []
        for object in inserted.objects + updated.objects + deleted.objects { errors += self.errors(of: object) }
        return errors
    }

    private func errors(of object: ManagedObject) -> [any Error] {
        do {
            if object.isDeleted {
                var errors = try denials(of: object)
                collectRules(&errors, of: object, on: .delete)
                collect(&errors) { try object.validateForDelete() }
                return errors
            }
            var errors: [any Error] = []
            // A fault of which only links at the other end have changed has values that were validated before.
            if !object.isFault { errors += try attributeErrors(of: object) }
            errors += try linkErrors(of: object)
            collectRules(&errors, of: object, on: object.isInserted ? .insert : .update)
            collect(&errors) {
                if object.isInserted { try object.validateForInsert() } else { try object.validateForUpdate() }
            }
            return errors
        } catch {
            return [error]
        }
    }

    private func collect(_ errors: inout [any Error], _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            errors.append(error)
        }
    }

    private func collectRules(
        _ errors: inout [any Error], of object: ManagedObject, on change: ObjectValidators.Change
    ) {
        for rule in coordinator.rules.objectRules(of: object.shape.entity.slot, on: change) {
            collect(&errors) { try rule(object) }
        }
    }

    // MARK: - Attributes

    private func attributeErrors(of object: ManagedObject) throws -> [any Error] {
        var errors: [any Error] = []
        for rule in coordinator.rules.attributes(of: object.shape.entity.slot) {
            let value = try object.currentValue(rule.slot)
            do {
                let accepted = try validated(value, by: rule, of: object)
                if accepted != value { setAttribute(object, rule.slot, to: accepted) }
            } catch {
                errors.append(error)
            }
        }
        return errors
    }

    /// Returns a validated value; if a rule of the program changes it, it is validated again, until it stays the same.
    private func validated(
        _ value: AttributeValue?, by rule: ModelRules.Attribute, of object: ManagedObject
    ) throws -> AttributeValue? {
        var value = value
        for _ in 0..<max(1, limits.hookRounds) {
            if rule.validators.isEmpty {
                try checkModel(value, rule, object)
                return value
            }
            let before = value
            for validator in rule.validators { try validator(&value, object) }
            if value == before {
                try checkModel(value, rule, object)
                return value
            }
            let type = object.shape.attributes[rule.slot].attribute.type
            if let new = value, let refusal = StoredForm.refusal(new, as: type) {
                throw object.mismatch(object.shape.attributes[rule.slot].attribute.name, refusal)
            }
        }
        throw ManagedObjectError(.unstable(object.shape.name, rounds: limits.hookRounds))
    }

    private func checkModel(
        _ value: AttributeValue?, _ rule: ModelRules.Attribute, _ object: ManagedObject
    ) throws(ObjectValidationError) {
        let attribute = object.shape.attributes[rule.slot].attribute
        let fault: ValidationFault?
        if let value {
            guard rule.rules.hasRules else { return }
            var arena: [UInt8] = []
            let stored = Self.arenaValue(StoredValue.stored(value, as: attribute.type), &arena)
            fault = rule.rules.fault(stored, in: arena)
        } else {
            fault = rule.rules.isOptional ? nil : .missing
        }
        guard let fault else { return }
        throw ObjectValidationError(
            code: fault.code, object, key: attribute.name, value: value, fault.sentence)
    }

    private static func arenaValue(_ value: SQLiteValue, _ arena: inout [UInt8]) -> ArenaValue {
        switch value {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .text(let bytes):
            arena = bytes
            return .text(ArenaRange(start: 0, count: bytes.count))
        case .blob(let bytes):
            arena = bytes
            return .blob(ArenaRange(start: 0, count: bytes.count))
        }
    }

    // MARK: - Relationships

    private func linkErrors(of object: ManagedObject) throws -> [any Error] {
        var errors: [any Error] = []
        for (slot, toOne) in object.shape.toOnes.enumerated()
        where !toOne.isOwner && !toOne.relationship.isOptional && !object.isFault {
            guard try object.toOneKey(slot) == nil else { continue }
            errors.append(error(.missingRelationship, object, toOne.relationship))
        }
        for (slot, toMany) in object.shape.toManys.enumerated() {
            // Links that have not changed were validated before.
            guard let rule = CountRule(toMany.relationship),
                object.isInserted || object.state?.toManys[slot]?.isChanged ?? false
            else { continue }
            let count = try links(of: object, slot).count
            guard let fault = rule.fault(Int64(count)) else { continue }
            errors.append(error(fault, object, toMany.relationship))
        }
        return errors
    }

    private func error(
        _ fault: ValidationFault, _ object: ManagedObject, _ relationship: ResolvedRelationship
    ) -> ObjectValidationError {
        ObjectValidationError(code: fault.code, object, key: relationship.name, fault.sentence)
    }

    /// Returns errors for relationships that deny the deletion of an object while one of their destinations remains.
    private func denials(of object: ManagedObject) throws -> [any Error] {
        var errors: [any Error] = []
        func add(_ relationship: ResolvedRelationship, _ keys: [ObjectKey]) {
            guard relationship.description.deleteRule == .deny else { return }
            guard keys.contains(where: { !(registry[$0]?.isDeleted ?? false) }) else { return }
            errors.append(
                ObjectValidationError(
                    code: 1600, object, key: relationship.name,
                    "the relationship denies the deletion: it leads to objects that stay"))
        }
        do {
            for (slot, toOne) in object.shape.toOnes.enumerated() where !toOne.isOwner {
                if toOne.relationship.description.deleteRule == .deny, let key = try object.toOneKey(slot) {
                    add(toOne.relationship, [key])
                }
            }
            for (slot, toMany) in object.shape.toManys.enumerated()
            where toMany.relationship.description.deleteRule == .deny {
                add(toMany.relationship, try links(of: object, slot))
            }
        } catch let error as ManagedObjectError {
            guard case .objectNotFound = error.code else { throw error }
        }
        return errors
    }
}
