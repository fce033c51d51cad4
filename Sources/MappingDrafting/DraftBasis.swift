/// The information on which a draft is based.
package enum DraftBasis {
    /// Everything in the sample: values, similar names, and possible keys. The user reviews the draft.
    case sample
    /// The declarations of the model and of the source's schema, and equal names: the draft is applied without a
    /// review.
    case declarations
}
