import ManagedObjectModels

extension ModelDerivation {
    /// Returns the answer for a property from the rules learned from stores; records the question and returns nil if
    /// there is no rule.
    mutating func ask(
        _ question: SwiftDataQuestion, at place: SwiftPlace
    ) -> SwiftDataQuestion.Answer.Property? {
        let label = rules.answer(entity: question.entity, property: question.property, reason: question.reason)
        if let answer = question.answers.first(where: { $0.label == label }) { return answer.property }
        if let label {
            note(
                "the file of rules says \"stored as \(label)\", which is not one of the answers: "
                    + question.answers.map(\.label).joined(separator: ", "), question.entity, question.property,
                at: place)
        }
        result.questions.append(question)
        return nil
    }
}
