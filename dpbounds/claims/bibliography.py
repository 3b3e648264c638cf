"""The literature that claims come from, as BibTeX."""

from __future__ import annotations

from dpbounds.errors import ClaimError

BIBLIOGRAPHY: dict[str, str] = {
    "chen2019": """@misc{chen2019,
  author = {Yuchen},
  title = {Great but Manageable Expectations},
  howpublished = {Yuchen's Blog, part 2 of two posts on differential privacy},
  note = {The page gives no family name},
  year = {2019}
}""",
    "yu2019": """@inproceedings{yu2019,
  author = {Yu, Lei and Liu, Ling and Pu, Calton and Gursoy, Mehmet Emre and Truex, Stacey},
  title = {Differentially Private Model Publishing for Deep Learning},
  booktitle = {IEEE Symposium on Security and Privacy},
  year = {2019}
}""",
    "koskela2020": """@inproceedings{koskela2020,
  author = {Koskela, Antti and J{\\"a}lk{\\"o}, Joonas and Honkela, Antti},
  title = {Computing Tight Differential Privacy Guarantees Using {FFT}},
  booktitle = {AISTATS},
  year = {2020}
}""",
    "zhuwang2019": """@misc{zhuwang2019,
  author = {Zhu, Yuqing and Wang, Yu-Xiang},
  title = {Poisson Subsampled {R\\'enyi} Differential Privacy},
  howpublished = {Slides of the ICML 2019 paper},
  year = {2019}
}""",
    "trustworthy2022": """@misc{trustworthy2022,
  author = {Gatica-Perez, Daniel and Sajadmanesh, Sina and Shahin Shamsabadi, Ali},
  title = {An Introduction to Trustworthy Machine Learning},
  howpublished = {Slides, International Artificial Intelligence Doctoral Academy},
  year = {2022}
}""",
    "mironov2017": """@inproceedings{mironov2017,
  author = {Mironov, Ilya},
  title = {R\\'enyi Differential Privacy},
  booktitle = {IEEE Computer Security Foundations Symposium},
  year = {2017}
}""",
    "abadi2016": """@inproceedings{abadi2016,
  author = {Abadi, Mart{\\'i}n and Chu, Andy and Goodfellow, Ian and McMahan, H. Brendan and Mironov, Ilya and Talwar, Kunal and Zhang, Li},
  title = {Deep Learning with Differential Privacy},
  booktitle = {ACM Conference on Computer and Communications Security},
  year = {2016}
}""",
    "bunsteinke2016": """@inproceedings{bunsteinke2016,
  author = {Bun, Mark and Steinke, Thomas},
  title = {Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds},
  booktitle = {Theory of Cryptography},
  year = {2016}
}""",
    "canonne2020": """@inproceedings{canonne2020,
  author = {Canonne, Cl{\\'e}ment L. and Kamath, Gautam and Steinke, Thomas},
  title = {The Discrete {Gaussian} for Differential Privacy},
  booktitle = {Advances in Neural Information Processing Systems},
  year = {2020}
}""",
    "feldman2026": """@misc{feldman2026,
  author = {Feldman, Vitaly and Shenfeld, Moshe},
  title = {Efficient Privacy Loss Accounting for Subsampling and Random Allocation},
  howpublished = {arXiv:2602.17284},
  year = {2026}
}""",
    "lebeda2024": """@misc{lebeda2024,
  author = {Lebeda, Christian Janos and Regehr, Matthew and Kamath, Gautam and Steinke, Thomas},
  title = {Avoiding Pitfalls for Privacy Accounting of Subsampled Mechanisms under Composition},
  howpublished = {arXiv:2405.20769},
  year = {2024}
}""",
    "opendp2026": """@misc{opendp2026,
  author = {{TedTed}},
  title = {The {API} for amplification by sampling is unsound: amplified measurements that use the same sample cannot be composed},
  howpublished = {Issue 2933 of opendp/opendp},
  year = {2026}
}""",
    "opacus2023": """@misc{opacus2023,
  author = {Cebere, Tudor},
  title = {Privacy Leakage at low sample size},
  howpublished = {Issue 571 of meta-pytorch/opacus; continued in issue 819, 2026},
  year = {2023}
}""",
    "bu2020": """@article{bu2020,
  author = {Bu, Zhiqi and Dong, Jinshuo and Long, Qi and Su, Weijie J.},
  title = {Deep Learning with {Gaussian} Differential Privacy},
  journal = {Harvard Data Science Review},
  year = {2020}
}""",
    "papernot2018": """@inproceedings{papernot2018,
  author = {Papernot, Nicolas and Song, Shuang and Mironov, Ilya and Raghunathan, Ananth and Talwar, Kunal and Erlingsson, {\\'U}lfar},
  title = {Scalable Private Learning with {PATE}},
  booktitle = {ICLR},
  year = {2018}
}""",
    "raisa2024": """@inproceedings{raisa2024,
  author = {R{\\"a}is{\\"a}, Ossi and J{\\"a}lk{\\"o}, Joonas and Honkela, Antti},
  title = {Subsampling is not Magic: Why Large Batch Sizes Work for Differentially Private Stochastic Optimisation},
  booktitle = {International Conference on Machine Learning},
  year = {2024}
}""",
    "mironov2019": """@misc{mironov2019,
  author = {Mironov, Ilya and Talwar, Kunal and Zhang, Li},
  title = {R{\\'e}nyi Differential Privacy of the Sampled {Gaussian} Mechanism},
  howpublished = {arXiv:1908.10530},
  year = {2019}
}""",
    "tran2026": """@misc{tran2026,
  author = {Tran, Long and Koskela, Antti and R{\\"a}is{\\"a}, Ossi and Honkela, Antti},
  title = {f-Differential Privacy Filters: Validity and Approximate Solutions},
  howpublished = {arXiv:2602.06756},
  year = {2026}
}""",
    "dpbounds": """@software{dpbounds,
  title = {dpbounds: verified bounds in differential privacy},
  year = {2026}
}""",
    "harrison2026": """@inproceedings{harrison2026,
  author = {Harrison, Charlie and Manurangsi, Pasin},
  title = {Exact {zCDP} Characterizations for Fundamental Differentially Private Mechanisms},
  booktitle = {Symposium on Foundations of Responsible Computing},
  note = {arXiv 2510.25746},
  year = {2026}
}""",
    "vandijk2026": """@misc{vandijk2026,
  author = {van Dijk, Marten and Ertan, Murat Bilgehan},
  title = {Trade-off Functions for {DP-SGD} with Subsampling based on Random Shuffling: Tight Upper and Lower Bounds},
  howpublished = {arXiv:2605.06259},
  year = {2026}
}""",
    "kulynych2026": """@misc{kulynych2026,
  author = {Kulynych, Bogdan and Honkela, Antti},
  title = {On Choosing the mu Parameter in {Gaussian} Differential Privacy},
  howpublished = {arXiv:2606.09582},
  year = {2026}
}""",
    "harrison2023": """@misc{harrison2023,
  author = {Harrison, Charlie},
  title = {{Gaussian} mechanism formula is not valid for every epsilon / delta},
  howpublished = {Issue 45 of uvm-plaid/programming-dp; closed in 2024},
  year = {2023}
}""",
    "gomez2026": """@inproceedings{gomez2026,
  author = {Gomez, Juan Felipe and Kulynych, Bogdan and Kaissis, Georgios and Calmon, Flavio du Pin and Hayes, Jamie and
            Balle, Borja and Honkela, Antti},
  title = {{Gaussian DP} for Reporting Differential Privacy Guarantees in Machine Learning},
  booktitle = {IEEE Conference on Secure and Trustworthy Machine Learning (SaTML)},
  year = {2026}
}""",
}


def bibtex_of(source: tuple[str, str]) -> str:
    """The BibTeX entry of a claim's source.

    >>> bibtex_of(("yu2019", "Theorem 3")).splitlines()[0]
    '@inproceedings{yu2019,'
    """
    key, _ = source
    if key not in BIBLIOGRAPHY:
        raise ClaimError(f"unknown source {key!r}; known are {', '.join(sorted(BIBLIOGRAPHY))}")
    return BIBLIOGRAPHY[key]
