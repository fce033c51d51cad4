internal import ManagedObjectModels
internal import PredicateExpressions

extension ModelRule {
    static let fetchRequests = ModelRule(.invalidFetchRequest) { subject in
        let names = Set(subject.model.entities.map(\.name))
        var findings = subject.model.model.fetchRequestTemplates.compactMap { request -> LintFinding? in
            guard !names.contains(request.entityName) else { return nil }
            return subject.finding(
                .invalidFetchRequest, property: request.name, at: .fetchRequestTemplate(request.name),
                "the fetch request is for the entity \"\(request.entityName)\", which is not in the model")
        }
        for entity in subject.model.entities {
            for property in entity.description.fetchedProperties
            where !names.contains(property.fetchRequest.entityName) {
                findings.append(
                    subject.finding(
                        .invalidFetchRequest, property.name, of: entity,
                        "the fetched property is of the entity \"\(property.fetchRequest.entityName)\", "
                            + "which is not in the model"))
            }
        }
        return findings
    }

    static let predicates = ModelRule(.invalidPredicate) { subject in
        var findings: [LintFinding] = []
        for request in subject.model.model.fetchRequestTemplates {
            guard let reason = fault(ofPredicate: request.predicateFormat) else { continue }
            findings.append(
                subject.finding(
                    .invalidPredicate, property: request.name, at: .fetchRequestTemplate(request.name), reason))
        }
        for entity in subject.model.entities {
            if let reason = fault(of: "Spotlight display name", entity.description.coreSpotlightDisplayNameExpression) {
                findings.append(subject.finding(.invalidPredicate, entity, reason))
            }
            for property in entity.description.fetchedProperties {
                guard let reason = fault(ofPredicate: property.fetchRequest.predicateFormat) else { continue }
                findings.append(subject.finding(.invalidPredicate, property.name, of: entity, reason))
            }
            for index in entity.description.fetchIndexes {
                let reasons =
                    index.elements.compactMap { fault(of: "expression", $0.expression) }
                    + [fault(ofPredicate: index.partialIndexPredicate)].compactMap { $0 }
                for reason in reasons {
                    findings.append(
                        subject.finding(
                            .invalidPredicate, entity: entity.name, property: index.name,
                            at: .fetchIndex(index.name, entity: entity.name), reason))
                }
            }
        }
        return findings
    }

    private static func fault(ofPredicate format: String?) -> String? {
        format.flatMap { format in
            fault(of: "predicate") { () throws(FormatError) in _ = try Predicate(format: format) }
        }
    }

    private static func fault(of part: String, _ format: String?) -> String? {
        format.flatMap { format in
            fault(of: "\(part) \"\(format)\"") { () throws(FormatError) in _ = try FormatExpression(format: format) }
        }
    }

    private static func fault(of part: String, parsing parse: () throws(FormatError) -> Void) -> String? {
        do throws(FormatError) {
            try parse()
            return nil
        } catch {
            return "the \(part) cannot be parsed: \(error)"
        }
    }
}
