"""Many traces in a folder of Parquet files, and what two versions of an app have in common: keyflight fleet."""
