internal import ManagedObjectModels

/// NSPersistentCloudKitContainer refuses to load a store whose model violates one of these rules.
extension ModelRule {
    static let cloudKitAttributes = ModelRule(.cloudKitRequiredAttribute, .cloudKitType) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard subject.mirrored.contains(entity.slot), !attribute.isTransient, !attribute.isDerived else {
                return nil
            }
            if attribute.type == .undefined || attribute.type == .objectID {
                return subject.finding(
                    .cloudKitType, attribute.name, of: entity, "the attribute's type is \(attribute.type.name)")
            }
            guard !attribute.isOptional, attribute.defaultValue == nil else { return nil }
            return subject.finding(
                .cloudKitRequiredAttribute, attribute.name, of: entity, "the attribute is required and has no default")
        }
    }

    static let cloudKitEntities = ModelRule(.cloudKitConstraint) { subject in
        subject.model.entities.flatMap { entity -> [LintFinding] in
            guard subject.mirrored.contains(entity.slot) else { return [] }
            return entity.description.uniquenessConstraints.enumerated().map { place, constraint in
                subject.finding(
                    .cloudKitConstraint, entity: entity.name, at: .uniquenessConstraint(place, entity: entity.name),
                    "the entity has the uniqueness constraint (\(constraint.joined(separator: ", ")))")
            }
        }
    }

    static let cloudKitRelationships = ModelRule(
        .cloudKitInverse, .cloudKitDenyRule, .cloudKitOrdered, .cloudKitRequiredRelationship
    ) { subject in
        subject.relationships.flatMap { entity, relationship -> [LintFinding] in
            guard subject.mirrored.contains(entity.slot), relationship.isStored else { return [] }
            func finding(_ code: LintCode, _ message: String) -> LintFinding {
                subject.finding(code, relationship.name, of: entity, message)
            }
            var findings: [LintFinding] = []
            if relationship.description.inverseName == nil {
                findings.append(finding(.cloudKitInverse, "the relationship has no inverse"))
            }
            if relationship.description.deleteRule == .deny {
                findings.append(finding(.cloudKitDenyRule, "the delete rule is Deny"))
            }
            if relationship.isOrdered { findings.append(finding(.cloudKitOrdered, "the relationship is ordered")) }
            if !relationship.isOptional {
                findings.append(finding(.cloudKitRequiredRelationship, "the relationship is required"))
            }
            return findings
        }
    }
}
