internal import ManagedObjectModels

extension ModelRule {
    static let abstractEntities = ModelRule(.abstractWithoutSubentities) { subject in
        subject.model.entities.compactMap { entity in
            guard entity.isAbstract, !entity.hasSubentities else { return nil }
            return subject.finding(.abstractWithoutSubentities, entity, "the entity is abstract and has no subentities")
        }
    }

    static let constraints = ModelRule(.invalidConstraint, .duplicateConstraint) { subject in
        var findings: [LintFinding] = []
        for entity in subject.model.entities {
            let constraints = entity.description.uniquenessConstraints
            for (place, constraint) in constraints.enumerated() {
                func report(_ code: LintCode, _ message: String) {
                    findings.append(
                        subject.finding(
                            code, entity: entity.name, property: constraint.count == 1 ? constraint[0] : nil,
                            at: .uniquenessConstraint(place, entity: entity.name), message))
                }
                let title = "(" + constraint.joined(separator: ", ") + ")"
                if constraint.isEmpty {
                    report(.invalidConstraint, "a uniqueness constraint is empty")
                } else if let (name, reason) = firstFault(of: constraint, in: entity) {
                    report(.invalidConstraint, "the constraint \(title) cannot have \(name): \(reason)")
                } else if let stronger = stronger(than: constraint, place: place, of: entity, in: subject.model) {
                    report(.duplicateConstraint, "the constraint \(title) follows from \(stronger)")
                }
            }
        }
        return findings
    }

    private static func firstFault(of constraint: [String], in entity: ResolvedEntity) -> (String, String)? {
        var seen: Set<String> = []
        for name in constraint {
            if !seen.insert(name).inserted { return (name, "it is in it twice") }
            if let attribute = entity.attribute(named: name) {
                if attribute.description.isTransient { return (name, "it is transient") }
            } else if let relationship = entity.relationship(named: name) {
                if relationship.isToMany { return (name, "it is to-many") }
                if !relationship.isStored { return (name, "it is transient") }
            } else {
                return (name, "the entity has no such property")
            }
        }
        return nil
    }

    /// Returns a constraint over a subset of the same properties, in this entity or a superentity.
    private static func stronger(
        than constraint: [String], place: Int, of entity: ResolvedEntity, in model: ResolvedModel
    ) -> String? {
        let names = Set(constraint)
        let found = model.uniquenessConstraints(of: entity.slot).first { other in
            guard names.isSuperset(of: other.properties) else { return false }
            // If two constraints are equal, the later one is redundant.
            return other.entity != entity.slot || other.place < place
                || other.place > place && Set(other.properties) != names
        }
        return found.map { "\(model.entities[$0.entity].name) (\($0.properties.joined(separator: ", ")))" }
    }
}
