import ManagedObjectModels
import ValueTransformers

extension EditStep {
    /// Returns the step with its JSON values converted to bytes by value transformers.
    ///
    /// - Throws: `EditError` for a value that cannot be converted.
    func transformed(by transformers: ValueTransformerRegistry, in model: ResolvedModel) throws(EditError) -> EditStep {
        switch self {
        case .update(let name, let filter, let values):
            return .update(name, where: filter, set: try transformed(values, transformers, model))
        case .insert(let name, let values, let links):
            return .insert(name, set: try transformed(values, transformers, model), link: links)
        case .delete, .relate, .unrelate: return self
        }
    }

    private func transformed(
        _ values: [EditAssignment], _ transformers: ValueTransformerRegistry, _ model: ResolvedModel
    ) throws(EditError) -> [EditAssignment] {
        try values.map { (value) throws(EditError) in
            // Unknown names are reported when the step runs.
            guard case .json(let json) = value.content,
                let attribute = model.entity(named: entityName)?.attribute(named: value.attribute)
            else { return value }
            do {
                let bytes = try transformers.bytes(ofJSON: json, for: attribute.description, of: entityName)
                return EditAssignment(
                    value.attribute, bytes.map { .bytes($0, ofJSON: json) } ?? .expression("NULL"))
            } catch {
                throw EditError(self, "\(error)")
            }
        }
    }
}
